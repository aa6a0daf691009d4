// Saves that the server did not take: what was saved elsewhere meanwhile, and what it refuses.

import { union } from "./judgement.js";
import { tellState } from "./telling.js";

const find = (id) => document.getElementById(id);

/** Say why a save is refused, and offer to do without it. */
export function tellRefusal(reason, giveUp) {
  tellState("refused", `The server refuses this: ${reason}. `);
  const give = document.createElement("button");
  give.textContent = "Load what was saved";
  give.addEventListener("click", async () => {
    await giveUp();
    location.reload();
  });
  find("saved").append(give);
}

function described({ highlights, status }) {
  const characters = highlights.reduce((sum, { start, end }) => sum + end - start, 0);
  const many = `${highlights.length} highlight${highlights.length === 1 ? "" : "s"}`;
  return `${status === "irrelevant" ? "not relevant" : status}, ${many}, ${characters} characters`;
}

/** Return the highlights of both, with the rest of the first. */
function both(mine, theirs) {
  const highlights = union([...mine.highlights, ...theirs.highlights]);
  const found = highlights.length && ["irrelevant", "unassessed"].includes(mine.status);
  return { highlights, best: mine.best ?? theirs.best, status: found ? "in progress" : mine.status };
}

/** Let somebody choose between what is here and what was saved elsewhere, or both. */
export function letSettle(mine, theirs, decided) {
  const dialog = find("conflict");
  find("mine-said").textContent = described(mine);
  find("other-said").textContent = described(theirs);
  const choices = { "keep-mine": mine, "take-other": theirs, "keep-both": both(mine, theirs) };
  for (const [id, judgement] of Object.entries(choices)) {
    find(id).onclick = () => {
      dialog.close();
      decided(judgement);
    };
  }
  dialog.oncancel = (event) => event.preventDefault();  // it is not settled by looking away
  if (!dialog.open) dialog.showModal();
}
