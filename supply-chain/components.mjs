// What the binary consists of: crates, npm packages in the bundle of app/, and libraries that crates contain.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = dirname(import.meta.dirname);
const read = (path) => readFileSync(path, "utf8");
/** A file beside this one: standard texts, and those that crates leave out. */
const text = (name) => read(join(import.meta.dirname, "licenses", `${name}.txt`)).trim();
const standard = (holder, name) => `Copyright (c) ${holder}\n\n${text(name)}`;

/** What is not a crate itself, by the crate that contains it: name, license, text, and where the version is. */
const LIBRARIES = {
  shop: [["Rust's standard library", "MIT", () => standard("The Rust Project Developers", "MIT")]],
  v8: [
    [
      "V8",
      "BSD-3-Clause",
      () => text("V8"),
      [
        "v8/include/v8-version.h",
        /define V8_(?:MAJOR_VERSION|MINOR_VERSION|BUILD_NUMBER|PATCH_LEVEL) (\d+)/,
      ],
    ],
    [
      "ICU",
      "Unicode-3.0",
      () => text("ICU"),
      ["third_party/icu/version.json", /"major_version": "(\d+)"/],
    ],
    ["Abseil", "Apache-2.0", () => text("Apache-2.0")],
    [
      "libc++ and libc++abi",
      "Apache-2.0 WITH LLVM-exception",
      () => `${text("Apache-2.0")}\n\n${text("LLVM-exception")}`,
    ],
    [
      "simdutf",
      "MIT",
      () => standard("2021 The simdutf authors", "MIT"),
      ["third_party/simdutf/simdutf.h", /SIMDUTF_VERSION "([\d.]+)"/],
    ],
    ["fast_float", "MIT", () => standard("2021 The fast_float authors", "MIT")],
    ["Dragonbox", "BSL-1.0", () => `Copyright 2020-2025 Junekey Jeon\n\n${text("BSL-1.0")}`],
    [
      "FP16",
      "MIT",
      () => standard("2017 Facebook Inc., Georgia Institute of Technology, Marat Dukhan", "MIT"),
    ],
    ["rapidhash", "BSD-2-Clause", () => standard("2024 Nicolas De Carli", "BSD-2-Clause")],
    [
      "UTF-8 decoder",
      "MIT",
      () => standard("2008-2009 Bjoern Hoehrmann <bjoern@hoehrmann.de>", "MIT"),
    ],
    ["inspector_protocol", "BSD-3-Clause", () => text("inspector_protocol")],
    ["fdlibm", "SunPro", () => text("fdlibm")],
    // Sine and cosine. Whoever distributes the binary has to meet the LGPL's terms for these two.
    [
      "glibc, sin and cos",
      "LGPL-2.1-or-later",
      () => text("LGPL-2.1"),
      ["v8/third_party/glibc/METADATA", /version: "(\w+)"/],
    ],
  ],
  "libsqlite3-sys": [
    [
      "SQLite",
      "blessing",
      () => "The author disclaims copyright to this source code. It is in the public domain.",
      ["sqlite3/sqlite3.h", /SQLITE_VERSION +"([\d.]+)"/],
    ],
  ],
  "zstd-sys": [
    [
      "Zstandard",
      "BSD-3-Clause",
      (folder) => read(join(folder, "zstd/LICENSE")),
      ["Cargo.toml", /\+zstd\.([\d.]+)"/],
    ],
  ],
  "libwebp-sys": [
    [
      "libwebp",
      "BSD-3-Clause",
      (folder) =>
        `${read(join(folder, "vendor/COPYING"))}\n${read(join(folder, "vendor/PATENTS"))}`,
    ],
  ],
};

const IS_LICENSE = /^(licen[cs]e|copying|copyright|notice|patents|unlicense)/i;

/** The license files in a folder; of several licenses to choose from, MIT's. */
function licensesIn(folder, license) {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && IS_LICENSE.test(entry.name))
    .map(({ name }) => name)
    .sort();
  const isChoice = /\bMIT\b/.test(license) && !license.includes("AND");
  const chosen = names.filter((name) => isChoice && /MIT|NOTICE/i.test(name));
  return (chosen.some((name) => /MIT/i.test(name)) ? chosen : names).map((name) =>
    read(join(folder, name)),
  );
}

/** The text for a crate that comes without one: the standard text, with its authors. */
function standardText({ name, license, authors }) {
  const holder = authors.length > 0 ? authors.join(", ") : `the authors of ${name}`;
  return standard(holder, license.includes("MIT") ? "MIT" : license);
}

export function cargoMetadata(...more) {
  const cargo = process.env.CARGO ?? "cargo";
  const metadata = execFileSync(cargo, ["metadata", "--format-version", "1", "--locked", ...more], {
    cwd: root,
    maxBuffer: 1 << 28,
  });
  return JSON.parse(metadata);
}

/** The crates in the binary for a target, and the libraries in them; crates that only run during compilation are not in it. */
export function crates(target) {
  const metadata = cargoMetadata("--filter-platform", target);
  const byId = new Map(metadata.packages.map((each) => [each.id, each]));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const runs = ({ targets }) => !targets.some(({ kind }) => kind.includes("proc-macro"));
  const uses = (id) =>
    nodes
      .get(id)
      .deps.filter(
        ({ pkg, dep_kinds }) => dep_kinds.some(({ kind }) => kind === null) && runs(byId.get(pkg)),
      );
  const checksums = new Map(
    [
      ...read(join(root, "Cargo.lock")).matchAll(
        /name = "(.+)"\nversion = "(.+)"\nsource = .+\nchecksum = "(\w+)"/g,
      ),
    ].map(([, name, version, sum]) => [`${name} ${version}`, sum]),
  );
  const found = new Map();
  const visit = (id) => {
    if (found.has(id)) return;
    const { name, version, license, repository, authors, source, manifest_path } = byId.get(id);
    const folder = dirname(manifest_path);
    const dependencies = uses(id).map(({ pkg }) => pkg);
    const isOurs = source === null;
    const texts = isOurs ? [] : licensesIn(folder, license);
    if (!isOurs && texts.length === 0) texts.push(standardText({ name, license, authors }));
    found.set(id, {
      id,
      name,
      version,
      license: license?.replace(/ ?\/ ?/g, " OR "),
      repository,
      texts,
      isOurs,
      purl: `pkg:cargo/${name}@${encodeURIComponent(version)}`,
      sha256: checksums.get(`${name} ${version}`),
      dependencies,
      libraries: (LIBRARIES[name] ?? []).map((library) => libraryIn(folder, library)),
    });
    dependencies.forEach(visit);
  };
  visit(metadata.packages.find(({ name }) => name === "shop").id);
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function libraryIn(folder, [name, license, textIn, [file, pattern] = []]) {
  const matches = file ? [...read(join(folder, file)).matchAll(new RegExp(pattern, "g"))] : [];
  const version = matches.map(([, number]) => number).join(".");
  if (file && !version) throw new Error(`${file} does not say the version of ${name}`);
  return { name, version: version || undefined, license, texts: [textIn(folder)] };
}

/** The npm packages whose files are in the bundle in this folder, and the fonts. */
export function packages(bundle) {
  const names = JSON.parse(read(join(bundle, "packages.json")));
  const locked = JSON.parse(read(join(root, "package-lock.json"))).packages;
  return [...names, "@fontsource-variable/figtree", "@fontsource-variable/fraunces"].map((name) => {
    const folder = join(root, "node_modules", name);
    const { version, license, repository } = JSON.parse(read(join(folder, "package.json")));
    const [, sha512] = locked[`node_modules/${name}`].integrity.split("sha512-");
    return {
      name,
      version,
      license,
      repository: repository?.url ?? repository,
      texts: licensesIn(folder, license),
      purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
      sha512: Buffer.from(sha512, "base64").toString("hex"),
    };
  });
}
