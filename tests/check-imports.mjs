// The server's import rules: a noun's store is its own, SQL lives in stores, models know neither SQL nor HTTP.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const RULES = [
  {
    says: "calls another noun's store; call its service",
    breaks: (noun, _, line) => {
      const used = /\bcrate::(\w+)::store\b/.exec(line);
      return used !== null && used[1] !== noun;
    },
  },
  {
    says: "uses sqlx outside a store, the database layer or the demonstration's seed",
    breaks: (noun, file, line) =>
      /\bsqlx::/.test(line) &&
      !file.endsWith("/store.rs") &&
      noun !== "db" &&
      file !== "server/demo/seed.rs",
  },
  {
    says: "knows HTTP or SQL in a model",
    breaks: (_, file, line) => file.endsWith("/model.rs") && /\b(axum|sqlx)::/.test(line),
  },
  {
    says: "reaches into the demonstration from the shop",
    breaks: (noun, file, line) =>
      /\bcrate::demo\b/.test(line) && noun !== "demo" && file !== "server/main.rs",
  },
];

const files = readdirSync("server", { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".rs"),
);
let problems = 0;
for (const name of files) {
  const file = join("server", name);
  const [, noun = ""] = file.split("/");
  readFileSync(file, "utf8")
    .split("\n")
    .forEach((line, at) => {
      for (const { says, breaks } of RULES) {
        if (breaks(noun, file, line)) {
          console.error(`${file}:${at + 1} ${says}: ${line.trim()}`);
          problems++;
        }
      }
    });
}
console.log(`${files.length} files checked, ${problems} problems`);
process.exitCode = problems ? 1 : 0;
