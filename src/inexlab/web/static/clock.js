// How long somebody works: seconds in which the page is in front and something was done within the last minute.

const IDLE = 60_000;

export class Clock {
  constructor() {
    this.seconds = 0;
    this.last = performance.now();
    const seen = () => { this.last = performance.now(); };
    for (const name of ["pointermove", "pointerdown", "keydown", "wheel", "scroll", "touchmove"]) {
      addEventListener(name, seen, { passive: true });
    }
    setInterval(() => {
      if (document.visibilityState === "visible" && performance.now() - this.last < IDLE) this.seconds += 1;
    }, 1000);
  }

  /** Return the seconds since this was asked last. */
  take() {
    const seconds = this.seconds;
    this.seconds = 0;
    return seconds;
  }
}
