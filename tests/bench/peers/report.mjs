// The tables of a result, and their place in README.md: node tests/bench/peers/report.mjs results/….json

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pages } from "./pages.mjs";

const BEGIN = "<!-- bench-peers -->";
const END = "<!-- /bench-peers -->";
const README = join(import.meta.dirname, "../../../README.md");

const MODES = {
  fresh: "",
  "fresh-packed": ", compressed",
  kept: ", kept",
  "kept-packed": ", kept, compressed",
};
/** A generator that is this busy may be what limits the row. */
const BUSY = 0.95;

export function table(results) {
  const rows = pages.flatMap(({ name, title, modes }) =>
    modes.map((mode) => ({ key: `${name} ${mode}`, title: title + MODES[mode] })),
  );
  const measured = rows.filter(({ key }) => results.peers.some((peer) => peer.rows[key]));
  const [first] = measured;
  return [
    "Pages per second, in parentheses as a multiple of the shop's:",
    "",
    grid(
      ["", ...results.peers.map(({ title }) => title)],
      measured.map(({ key, title }) => [
        title,
        ...results.peers.map((peer) => rate(results, peer, key)),
      ]),
    ),
    "",
    `Of the first row, and of the processes; median (least to most) of ${results.rounds} rounds:`,
    "",
    grid(
      ["", ...results.peers.map(({ title }) => title)],
      first ? details(results, first.key) : [],
    ),
    "",
    "Processor time per 1,000 pages, in seconds:",
    "",
    grid(
      ["", ...results.peers.map(({ title }) => title)],
      measured.map(({ key, title }) => [
        title,
        ...results.peers.map((peer) => processor(runsOf(peer, key))),
      ]),
    ),
    "",
    `${results.when.slice(0, 10)}, ${results.machine.processor}, ${results.machine.cores} cores, Linux ${results.machine.kernel};`,
    `${results.rounds} rounds of ${results.seconds} s after ${results.warm} s of warming up.`,
  ].join("\n");
}

function details(results, key) {
  const each = (title, show) => [title, ...results.peers.map(show)];
  const ofRuns = (title, value, digits) =>
    each(title, (peer) => spread(runsOf(peer, key), value, digits));
  const ofStarts = (title, value) => each(title, ({ starts }) => spread(starts, value, 0));
  return [
    ofRuns("half of the answers within, ms", ({ p50 }) => p50, 1),
    ofRuns("99% of the answers within, ms", ({ p99 }) => p99, 1),
    ofStarts("from start to the first answer, ms", ({ milliseconds }) => milliseconds),
    ofStarts("memory when idle, MiB", ({ idle }) => idle),
    ofStarts("memory after all rows, MiB", ({ after }) => after),
    each("bytes of a document", (peer) => sizes(peer, key)),
    each("bytes when compressed", (peer) => sizes(peer, `${key}-packed`)),
  ];
}

function rate(results, peer, key) {
  const cell = peer.rows[key];
  if (!cell) return peer.failed ? `not measured: ${peer.failed}` : "";
  const runs = runsOf(peer, key);
  if (runs.length === 0) return `not measured: ${cell.invalid}`;
  const value = median(runs.map(({ perSecond }) => perSecond));
  const shop = runsOf(
    results.peers.find(({ name }) => name === "shop"),
    key,
  );
  const ratio = shop.length
    ? ` (${(value / median(shop.map((run) => run.perSecond))).toFixed(2)})`
    : "";
  const limit = runs.some(({ generatorLoad }) => generatorLoad > BUSY) ? "≥ " : "";
  return `${limit}${value.toLocaleString("en-US", { maximumFractionDigits: 0 })}${ratio}`;
}

/** A row with a run that failed has no number. */
function runsOf(peer, key) {
  const cell = peer?.rows[key];
  return !cell || cell.invalid ? [] : cell.runs;
}

function sizes(peer, key) {
  const answer = peer.rows[key]?.answer;
  if (!answer) return "";
  const encoding = answer.encoding === "identity" ? "" : ` (${answer.encoding})`;
  return answer.sent.toLocaleString("en-US") + encoding;
}

function processor(runs) {
  return runs.length ? median(runs.map((run) => run.processorPer1000)).toFixed(2) : "";
}

function spread(runs, value, digits) {
  if (runs.length === 0) return "";
  const all = runs.map(value);
  const [mid, least, most] = [median(all), Math.min(...all), Math.max(...all)];
  return `${mid.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function grid(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function writeReadme(results) {
  const text = readFileSync(README, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`README.md has no ${BEGIN}`);
  writeFileSync(
    README,
    `${text.slice(0, begin)}${BEGIN}\n\n${table(results)}\n\n${text.slice(end)}`,
  );
}

if (process.argv[1] === import.meta.filename)
  writeReadme(JSON.parse(readFileSync(process.argv[2], "utf8")));
