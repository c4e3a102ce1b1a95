// The page of the operators, as the server renders it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import DebugPage from "../../app/admin/debug/debug-page";
import { SharedContext } from "../../app/lib/shared";
import { shared } from "../../app/samples/base";
import { debug } from "../../app/samples/debug";

const page = (name: string, state: string) => {
  const jobs = debug.jobs.map((job) => ({ ...job, name, state }));
  return renderToStaticMarkup(
    <SharedContext value={shared}>
      <DebugPage {...debug} jobs={jobs} />
    </SharedContext>,
  );
};

test("all emails can be retried once some were given up", () => {
  assert.match(page("order_mail", "dead"), /Retry all failed emails/);
  assert.doesNotMatch(page("order_mail", "failed"), /Retry all/, "they are tried again anyway");
  assert.doesNotMatch(page("refund", "dead"), /Retry all/);
});
