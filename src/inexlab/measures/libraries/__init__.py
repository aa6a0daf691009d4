"""One file per library of measures by others; each registers itself and is asked for names not ours."""
