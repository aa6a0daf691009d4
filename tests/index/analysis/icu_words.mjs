// Writes icu_words.json: where ICU sees words in some texts. Run once, with Node: node icu_words.mjs
// Offsets count code points.
import { readFileSync, writeFileSync } from "node:fs";

const here = new URL(".", import.meta.url);
const texts = readFileSync(new URL("icu_texts.txt", here), "utf8").split("\n").filter((line) => line);
const segmenter = new Intl.Segmenter("und", { granularity: "word" });
const found = texts.map((text) => {
  const words = [];
  let at = 0;
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const length = [...segment].length;
    if (isWordLike) words.push([at, at + length]);
    at += length;
  }
  return { text, words };
});
const versions = { icu: process.versions.icu, unicode: process.versions.unicode };
const lines = found.map((one) => JSON.stringify(one)).join(",\n");
writeFileSync(new URL("icu_words.json", here), `{"versions": ${JSON.stringify(versions)}, "texts": [\n${lines}\n]}\n`);
