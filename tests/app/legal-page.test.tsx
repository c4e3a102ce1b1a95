import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import LegalPage, { Publish } from "../../app/admin/settings/legal-page";
import type { Change } from "../../app/admin/settings/use-change";
import { SharedContext } from "../../app/lib/shared";
import type { EditionView } from "../../app/lib/types";
import { shared } from "../../app/samples/base";
import { legalSettings } from "../../app/samples/legal";

/** The entry of an edition in the list of versions. */
function told(edition: Partial<EditionView>): string {
  const [first] = legalSettings.editions;
  assert.ok(first);
  const editions = [{ ...first, is_in_force: false, ...edition }];
  const html = renderToStaticMarkup(
    <SharedContext value={shared}>
      <LegalPage {...legalSettings} editions={editions} />
    </SharedContext>,
  );
  return /<li><p>.*?<\/li>/.exec(html)?.[0] ?? "";
}

test("only a version that is not in effect yet can be withdrawn", () => {
  assert.match(
    told({ is_coming: true }),
    /Scheduled.*Effective November 1, 2026.*Withdraw version 1/,
  );
  assert.doesNotMatch(told({ is_in_force: true }), /Withdraw/);
});

test("the history says who has withdrawn a version, and for which day it was", () => {
  const html = told({ withdrawn_at: "2026-11-21T12:00:00", withdrawn_by: "Ann" });
  assert.match(html, /Was to take effect November 1, 2026\. .*Withdrawn .*2026.* by Ann\./);
  assert.doesNotMatch(html, /Withdraw version/);
});

test("who publishes what a colleague has just published is not told to save it again", () => {
  const change = { busy: false, about: () => undefined, errors: {} } as unknown as Change;
  const told = (isPublished: boolean) =>
    renderToStaticMarkup(
      <Publish
        today="2026-11-21"
        publish={async () => {}}
        mayPublish={false}
        isPublished={isPublished}
        change={change}
      />,
    );
  assert.match(told(true), /already been published\./);
  assert.doesNotMatch(told(true), /save it as the draft/);
  assert.match(told(false), /save it as the draft/);
});
