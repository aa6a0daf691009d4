// Work that is kept in this browser, of pages that are not there any more, is sent; what became of it is told.

import { sendOthers } from "./outbox.js";

/** Return a line with a link to the page of a document. */
function line(said, topic, name) {
  const made = document.createElement("p");
  made.className = "message warning";
  made.setAttribute("role", "status");
  const link = document.createElement("a");
  link.href = `/judge/${[topic, ...name.split("/")].map(encodeURIComponent).join("/")}`;
  link.textContent = name;
  made.append(said, link);
  return made;
}

/** Send what is kept but for some, and tell before an element what was saved and what has to be looked at. */
export async function resend(laboratory, account, before, except = () => false) {
  const { saved, waiting } = await sendOthers(laboratory, account, except).catch(() => ({ saved: [], waiting: [] }));
  for (const { topic, document: name } of saved) {
    before.before(line("Work that was kept in this browser is saved now: ", topic, name));
  }
  for (const { topic, document: name, outcome } of waiting) {
    if (outcome === "outdated" || outcome === "refused") {
      before.before(line("Work that is kept in this browser has to be looked at: ", topic, name));
    }
  }
  document.body.dataset.sent = true;
}

const about = document.querySelector("meta[name=assessor]");
if (about) resend(about.dataset.laboratory, about.content, document.querySelector("main > :first-child"));
