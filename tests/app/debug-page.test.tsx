// The page of the operators, as the server renders it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import DebugPage from "../../app/admin/debug/debug-page";
import { SharedContext } from "../../app/lib/shared";
import { shared } from "../../app/samples/base";
import { debug } from "../../app/samples/debug";

/** The page of a shop with dead jobs in one lane. */
const page = (name: string) => {
  const lanes = debug.lanes.map((lane) =>
    lane.lane === name
      ? { ...lane, dead: 1_234, dead_since: "2026-11-21T12:00:05" }
      : { ...lane, dead: 0, dead_since: null },
  );
  return renderToStaticMarkup(
    <SharedContext value={shared}>
      <DebugPage {...debug} lanes={lanes} jobs={[]} />
    </SharedContext>,
  );
};

test("all emails can be retried once some were given up, even if the list of jobs has none of them", () => {
  assert.match(page("mail"), /Retry all failed emails/);
  assert.match(page("mail"), /<td>1,234<\/td>/);
  assert.doesNotMatch(page("money"), /Retry all/);
});
