// Judgements on their way to the server. Each is kept in this browser (IndexedDB) before it is sent, with a key of
// its own, until the server says that it has it. The server keeps a key once, so sending again does no harm: after a
// lost answer, after a reload, from another tab.

const STORE = "saves";

/** Return a random UUID; `crypto.randomUUID` is only there on secure pages. */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [8, 12, 16, 20, 32].map((end, i, ends) => hex.slice(ends[i - 1] ?? 0, end)).join("-");
}

const TAB = uuid();
// held as long as this page lives, so that other tabs leave its saves alone
navigator.locks?.request(`inexlab ${TAB}`, () => new Promise(() => {}));

let opened;
function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("inexlab", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "save" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** Do something with what is kept, all of it or nothing; resolve when it is on the disk. */
async function keep(act) {
  const transaction = (await database()).transaction(STORE, "readwrite", { durability: "strict" });
  const result = act(transaction.objectStore(STORE));
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
    transaction.commit?.();
  });
  return result;
}

async function kept() {
  const store = (await database()).transaction(STORE).objectStore(STORE);
  return new Promise((resolve, reject) => {
    const request = store.getAll();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Wait until the browser has painted what has changed: people see it at once, however much there is to send. */
function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 50);  // pages in the background are not painted
  });
}

// A note of a save is made at once, for a page that ends before the save is kept.
const NOTE = "inexlab save ", LONGEST_NOTE = 200_000;

function note(record) {
  try {
    const said = JSON.stringify(record);
    if (said.length < LONGEST_NOTE) localStorage.setItem(NOTE + record.save, said);
  } catch { /* it is kept in a moment */ }
}

function notes() {
  try {
    return Object.entries(localStorage).filter(([name]) => name.startsWith(NOTE)).map(([, said]) => JSON.parse(said));
  } catch {
    return [];
  }
}

function forget(record) {
  try {
    localStorage.removeItem(NOTE + record.save);
  } catch { /* there is none */ }
}

/** Return what pages that are not there any more have left, without what they had put something else in place of. */
async function orphans(laboratory, account) {
  const locks = navigator.locks?.query ? (await navigator.locks.query()).held.map(({ name }) => name) : [];
  const left = (record) => record.laboratory === laboratory && record.account === account
    && record.tab !== TAB && !locks.includes(`inexlab ${record.tab}`);
  const noted = notes().filter(left);
  const found = [...new Map([...await kept(), ...noted].filter(left).map((record) => [record.save, record])).values()];
  const replaced = new Set(found.map(({ instead }) => instead));
  await keep((store) => {
    noted.forEach((record) => store.put(record));
    found.filter(({ save }) => replaced.has(save)).forEach(({ save }) => store.delete(save));
  });
  noted.forEach(forget);
  return found.filter(({ save }) => !replaced.has(save)).sort((a, b) => a.made - b.made);
}

let token = document.querySelector("meta[name=csrf-token]")?.content ?? "";

/** Get the token of a newer session: somebody has signed in again, in another tab. */
async function renewToken(account) {
  const answer = await fetch("/account", { cache: "no-store" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const name = page.querySelector(".who a")?.textContent;
  const found = page.querySelector("meta[name=csrf-token]")?.content;
  if (name !== account || !found || found === token) return false;
  token = found;
  return true;
}

/** Send one save; return what became of it: saved, outdated, refused, signed-out or away. */
async function send(record, renewed = false) {
  const { save, base, highlights, best_entry, status, seconds } = record;
  const place = [record.topic, ...record.document.split("/")].map(encodeURIComponent).join("/");
  let answer, content;
  try {
    answer = await fetch(`/api/judgements/${place}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": token },
      body: JSON.stringify({ save, base, highlights, best_entry, status, seconds }),
      signal: AbortSignal.timeout?.(20_000),
    });
    content = await answer.json().catch(() => ({}));
  } catch {
    return { outcome: "away" };
  }
  if (answer.ok) return { outcome: "saved", version: content.version };
  if (answer.status === 409) return { outcome: "outdated", other: content };
  if (answer.status === 401) return { outcome: "signed-out" };
  if (answer.status === 403 && !renewed) {
    try {
      if (await renewToken(record.account)) return send(record, true);
    } catch {
      return { outcome: "away" };
    }
  }
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408) return { outcome: "away" };
  return { outcome: "refused", reason: content.error ?? `the server answered ${answer.status}` };
}

/**
 * The saves of one document. `tell` is called with the state: saved, saving, away, signed-out, refused or outdated.
 * One save is on its way at a time; what changes meanwhile is one more, made of all changes. What is kept is written
 * in the order of what happens (`work`): a save that has arrived must not be kept again.
 */
export class Outbox {
  constructor({ laboratory, account, topic, document, version }, tell) {
    this.about = { laboratory, account, topic, document };
    this.version = version;
    this.tell = tell;
    this.sent = null;  // on its way
    this.next = null;  // behind it
    this.paused = false;  // until somebody decides
    this.tries = 0;
    this.work = Promise.resolve();
    addEventListener("online", () => this.deliver());
    whenVisible(() => this.deliver());
  }

  /** Keep what an assessor says now, and send it. */
  put(judgement, seconds) {
    const before = this.next;
    const record = {
      ...this.about, ...judgement, save: uuid(), tab: TAB, made: performance.timeOrigin + performance.now(),
      seconds: seconds + (before?.seconds ?? 0), base: this.sent || this.paused ? null : this.version,
      instead: before?.save ?? null,
    };
    this.next = record;
    note(record);
    if (!this.paused && !this.tries) this.tell("saving");
    this.work = this.work.then(painted);
    this.write((store) => {
      if (before) store.delete(before.save);
      store.put(record);
    }).then(() => {
      forget(record);
      if (this.next === record) this.go();
    });
  }

  /** Change what is kept, after all changes before. */
  write(act) {
    const told = (error) => console.warn("this browser keeps nothing", error);  // it is sent all the same
    this.work = this.work.then(() => keep(act)).catch(told);
    return this.work;
  }

  go() {
    if (this.sent || !this.next || this.paused) return;
    this.sent = this.next;
    this.next = null;
    this.deliver();
  }

  /** Send what is on its way, if nobody is doing so. */
  async deliver() {
    if (!this.sent || this.paused || this.busy) return;
    clearTimeout(this.timer);
    this.busy = true;
    const record = this.sent;
    const { outcome, version, other, reason } = await send(record);
    this.busy = false;
    if (outcome === "saved") {
      this.tries = 0;
      this.version = version;
      this.sent = null;
      if (this.next) this.next.base ??= version;
      await this.write((store) => {
        store.delete(record.save);
        if (this.next) store.put(this.next);
      });
      if (this.next) this.go(); else if (!this.sent) this.tell("saved");
      return;
    }
    if (outcome === "outdated" || outcome === "refused") {
      this.paused = true;
      this.tell(outcome, { other, reason });
      return;
    }
    this.tries += 1;
    this.timer = setTimeout(() => this.deliver(), Math.min(15_000, 500 * 2 ** this.tries));
    this.tell(outcome);
  }

  /** Go on after a save that was not taken: with what counts now, on top of the newest version; or with nothing. */
  async settle(version, judgement) {
    const old = [this.sent, this.next].filter(Boolean);
    const seconds = old.reduce((sum, record) => sum + record.seconds, 0);
    this.version = version;
    this.sent = this.next = null;
    this.paused = false;
    await this.write((store) => old.forEach((record) => store.delete(record.save)));
    if (judgement) this.put(judgement, seconds); else this.tell("saved");
  }

  /** Take over what an earlier page kept of this document; return the last of it, or null. */
  async takeOver() {
    const found = (await orphans(this.about.laboratory, this.about.account).catch(() => []))
      .filter((record) => record.topic === this.about.topic && record.document === this.about.document);
    if (!found.length) return null;
    // of one page: the first may have arrived, the second stands on top of it; those of another page come next time
    const mine = found.filter((record) => record.tab === found[0].tab).map((record) => ({ ...record, tab: TAB }));
    await this.write((store) => mine.forEach((record) => store.put(record)));
    [this.sent, this.next = null] = mine;
    this.sent.base ??= this.version;
    this.tell("saving");
    this.deliver();
    return mine.at(-1);
  }
}

function whenVisible(act) {
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") act(); });
}

/** Send what was kept by pages that are not there any more; return which documents were saved, which still wait. */
export async function sendOthers(laboratory, account, except) {
  const saved = new Map(), waiting = [];
  const versions = new Map();
  for (const record of await orphans(laboratory, account)) {
    if (except(record)) continue;
    const place = `${record.topic}/${record.document}`;
    if (waiting.some((other) => other.place === place)) continue;
    record.base ??= versions.get(place) ?? 0;
    const { outcome, version } = await send(record);
    if (outcome === "saved") {
      versions.set(place, version);
      saved.set(place, record);
      await keep((store) => store.delete(record.save));
    } else waiting.push({ place, topic: record.topic, document: record.document, outcome });
  }
  return { saved: [...saved.values()], waiting };
}
