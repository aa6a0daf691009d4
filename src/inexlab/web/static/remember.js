// Choices of this browser, which are only a convenience: where nothing can be kept, nothing is.

export function remember(name, value) {
  try {
    localStorage.setItem(`inexlab ${name}`, JSON.stringify(value));
  } catch { /* then it is asked again */ }
}

export function remembered(name) {
  try {
    return JSON.parse(localStorage.getItem(`inexlab ${name}`));
  } catch {
    return null;
  }
}
