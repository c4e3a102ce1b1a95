// American English everywhere: `node tests/check-words.mjs` lists all places with a British spelling or an unidiomatic translation.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** British spellings, which are errors everywhere: in texts, code and comments. */
const SPELLINGS = {
  colour: "color",
  favour: "favor",
  flavour: "flavor",
  behaviour: "behavior",
  neighbour: "neighbor",
  honour: "honor",
  labour: "labor",
  odour: "odor",
  vapour: "vapor",
  mould: "mold",
  catalogue: "catalog",
  analogue: "analog",
  aluminium: "aluminum",
  sulphur: "sulfur",
  draught: "draft",
  metre: "meter",
  "litre\\b": "liter",
  fibre: "fiber",
  centre: "center",
  theatre: "theater",
  lustre: "luster",
  "\\bgrey": "gray",
  "\\blicence": "license",
  "\\bcheque": "check",
  "\\bjeweller": "jeweler",
  "\\bcosy\\b": "cozy",
  "\\bmatt\\b": "matte",
  "\\bburnt\\b": "burned",
  "\\blearnt\\b": "learned",
  "\\bspelt\\b": "spelled",
  "\\bspoilt\\b": "spoiled",
  "\\bdefence": "defense",
  "\\boffence": "offense",
  "\\bjudgement": "judgment",
  "\\bageing\\b": "aging",
  "\\btowards\\b": "toward",
  "\\bafterwards\\b": "afterward",
  "\\bbackwards\\b": "backward",
  "\\bwhilst\\b": "while",
  "\\bfortnight": "two weeks",
  "\\bfor ever\\b": "forever",
  '\\btelephone(?!")': "phone",
  "\\bfulfil(?!l)": "fulfill",
  "(?<!is_)cancelled": "canceled",
  cancelling: "canceling",
  "travell(ed|er|ing)": "travel$1",
  "modell(ed|ing)": "model$1",
  "labell(ed(?!by)|ing)": "label$1",
  bevelled: "beveled",
  enamelled: "enameled",
  "\\b(anod|apolog|author|categor|character|custom|emphas|final|general|galvan|initial|local|maxim|memor|minim|normal|neutral|optim|organ|prior|real|recogn|serial|special|standard|summar|synchron|util)is(e|ed|es|er|ing|ation)\\b":
    "$1iz$2",
  "\\banalys(e|ed|ing)\\b": "analyz$1",
};

/** Phrases that no American shop would use; checked in texts only, not in comments. */
const PHRASES = {
  "street and number": "street address",
  "how to reach you": "contact",
  "mail address(?<!email address)": "email",
  "\\be-mail": "email",
  "\\bgoes well with": "pairs well with",
  "(?<=[0-9}] )%": "no space before %",
  "\\bper cent\\b": "percent",
  "(changed|seen) (this|it|these \\w+) meanwhile": "someone else has changed this",
  "\\bfrom now on": "say what is done: saved",
  "\\bany more\\b": "anymore",
  "\\bneeds? a hand": "needs attention",
  "\\bseen to\\b": "resolved",
  "\\bwrite to us": "contact us",
  "\\bwe write to": "we email",
  "\\bnot known yet": "to be calculated",
  "\\bgiven? (the )?money back": "refund",
  "\\blower-case": "lowercase",
  "\\bin the back room": "on our end",
  "\\bof 21 (and over|or older)": "21 or older",
  "\\b(this|the|your|a) parcel\\b": "package",
  "\\b(this|the|a) piece\\b(?! of)": "item",
};

/** A blank of a phrase: at a line's end, JSX has one of its own and Rust a backslash. */
const BLANK = String.raw`(?:[\s\\]|\{" "\})+`;

/** Exceptions by file: this list itself, committed migrations, and words that shoppers may type. */
const QUOTED = [
  ["tests/check-words.mjs", /./],
  // A committed migration never changes.
  ["migrations/sqlite/0011_product_desk.sql", /catalogue/],
  ["migrations/postgres/0011_product_desk.sql", /catalogue/],
  ["server/domain/catalog/search/words.rs", /"(colour|grey|aluminium)"/],
  ["server/domain/catalog/query.rs", /"colour"/],
  ["tests/app/same-on-both-sides.test.ts", /"colour"/],
  // The name that browsers know.
  ["server/http/page/document.rs", /telephone=no/],
];

const READ = [
  "app",
  "server",
  "docs",
  "tests",
  "ssr-runtime",
  "migrations",
  "deploy",
  "supply-chain",
  "README.md",
  "Makefile",
  "build.rs",
];
const UNREAD =
  /^app\/generated\/|^ssr-runtime\/v8\/|\.(png|gz|lock|txt)$|package-lock\.json$|^migrations\/former/;
const TEXTS = /^(app|server)\/(?!.*\/tests\/).*(?<!tests)\.(tsx?|rs|json|md)$/;

const files = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", ...READ],
  {
    encoding: "utf8",
  },
);
const spelling = rule(SPELLINGS);
const phrase = rule(PHRASES);
checkItself();
let faults = 0;
for (const file of files.split("\n").filter((name) => name && !UNREAD.test(name))) {
  const source = read(file);
  const found = [...search(file, spelling), ...search(source, spelling)];
  if (TEXTS.test(file)) found.push(...search(textsOf(file, source), phrase));
  for (const { line, text, wrong, right } of found) {
    if (QUOTED.some(([where, words]) => where === file && words.test(text))) continue;
    faults++;
    console.error(`${file}:${line}: "${wrong}": ${right}`);
  }
}
process.exitCode = faults > 0 ? 1 : 0;

function rule(words) {
  const sources = Object.keys(words).map((wrong) => wrong.replaceAll(" ", BLANK));
  return {
    any: new RegExp(
      sources.map((wrong) => `(?:${wrong.replaceAll(/\((?!\?)/g, "(?:")})`).join("|"),
      "i",
    ),
    each: sources.map((wrong, at) => [new RegExp(wrong, "gi"), Object.values(words)[at]]),
  };
}

/** The places with a wrong word or phrase; `text` is the line. */
function* search(source, { any, each }) {
  if (!any.test(source)) return;
  for (const [wrong, right] of each) {
    for (const { 0: found, index } of source.matchAll(wrong)) {
      const before = source.slice(0, index).split("\n");
      const text = `${before.at(-1)}${source.slice(index).split("\n", 1)}`;
      const shown = found.replaceAll(/\s+/g, " ");
      yield { line: before.length, text, wrong: shown, right: shown.replace(wrong, right) };
    }
  }
}

/** The source without comments, and without the tests at its end in Rust; line numbers stay the same. */
function textsOf(file, source) {
  if (!/\.(tsx?|rs)$/.test(file)) return source;
  const tests = file.endsWith(".rs") ? source.search(/#\[cfg\(test\)\]\s*mod \w+ \{/) : -1;
  return (tests < 0 ? source : source.slice(0, tests))
    .replaceAll(/\/\*.*?\*\//gs, (comment) => comment.replaceAll(/[^\n]/g, " "))
    .replaceAll(/(^|\s)\/\/.*$/gm, "$1");
}

/** That a phrase is found wherever it is wrapped, but not in comments and tests. */
function checkItself() {
  const ofTests = "#[cfg(test)]\nuse a::b;\n";
  const inTests = '#[cfg(test)]\nmod tests {\n    "the parcel"\n}\n';
  for (const [file, source, ...lines] of [
    ["a.rs", `${ofTests}"the parcel"\n// the parcel\n${inTests}`, 3],
    ["a.rs", '"write \\\n    to us"', 1],
    ["a.tsx", "<p>\n  Track the\n  parcel or the parcel\n</p>", 2, 3],
    ["a.tsx", '<p>\n  street{" "}\n  <b>and number</b>\n  street{" "}\n  and number\n</p>', 4],
    ["a.tsx", "/* the\n parcel */\nthe\n// b\nother parcel\n"],
  ]) {
    const found = Array.from(search(textsOf(file, source), phrase), ({ line }) => line);
    assert.deepEqual(found, lines, source);
  }
  assert.equal([...search("Colour\nand colour", spelling)].length, 2);
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // Deleted and not yet committed.
    if (error.code === "ENOENT") return "";
    throw error;
  }
}
