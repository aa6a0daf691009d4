// On a narrow screen the outline is folded: the text comes first.

if (matchMedia("(max-width: 56rem)").matches) document.querySelector(".outline")?.removeAttribute("open");
