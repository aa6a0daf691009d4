// What the page tells: to those who do not see it, and about what is saved.

const find = (id) => document.getElementById(id);

/** Say something to those who do not see the page. */
export function announce(said) {
  const live = find("live");
  live.textContent = live.textContent === said ? `${said}\u00a0` : said;
}

const SAID = {
  saved: "Saved",
  saving: "Saving…",
  away: "The server is away. Your work is kept in this browser, and sent when it is back.",
  "signed-out": "You are signed out. Your work is kept in this browser: ",
  outdated: "Judged elsewhere, too: choose what counts.",
};

export const TROUBLE = ["away", "signed-out", "outdated", "refused"];

export function tellState(state, more = "") {
  const place = find("saved");
  const before = place.dataset.state;
  if (before === state && !more) return;
  place.dataset.state = state;
  place.classList.remove("look");
  place.textContent = (SAID[state] ?? "") + more;
  if (state === "signed-out") {
    const link = document.createElement("a");
    link.href = `/sign-in?next=${encodeURIComponent(location.pathname)}`;
    link.textContent = "sign in again";
    place.append(link, ".");
  }
  // that all is well need not be heard each time
  if (TROUBLE.includes(state)) announce(place.textContent);
  else if (state === "saved" && TROUBLE.includes(before)) announce("All is saved.");
}
