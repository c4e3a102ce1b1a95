import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import LegalPage, { Publish } from "../../app/admin/settings/legal-page";
import type { Change } from "../../app/admin/settings/use-change";
import { SharedContext } from "../../app/lib/shared";
import type { EditionView, LegalSettingsPage } from "../../app/lib/types";
import { shared } from "../../app/samples/base";
import { legalSettings } from "../../app/samples/legal";

function edition(fields: Partial<EditionView>): EditionView {
  const [first] = legalSettings.editions;
  assert.ok(first);
  return { ...first, is_in_force: false, ...fields };
}

function shown(page: Partial<LegalSettingsPage>): string {
  return renderToStaticMarkup(
    <SharedContext value={shared}>
      <LegalPage {...legalSettings} {...page} />
    </SharedContext>,
  );
}

/** The entry of an edition in the list of versions. */
function told(fields: Partial<EditionView>): string {
  return /<li><p>.*?<\/li>/.exec(shown({ editions: [edition(fields)] }))?.[0] ?? "";
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

const change = { busy: false, about: () => undefined, errors: {} } as unknown as Change;

test("who publishes what a colleague has just published is not told to save it again", () => {
  const told = (isPublished: boolean) =>
    renderToStaticMarkup(
      <Publish
        today="2026-11-21"
        editions={[]}
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

test("who publishes beside scheduled versions is told how long the text holds", () => {
  const coming = (number: number, effective_from: string) =>
    edition({ number, effective_from, is_coming: true });
  const told = (day: string, editions: EditionView[]) =>
    renderToStaticMarkup(
      <Publish
        today={day}
        editions={editions}
        publish={async () => {}}
        mayPublish
        isPublished={false}
        change={change}
      />,
    );
  const editions = [
    coming(5, "2027-03-01"),
    coming(4, "2027-01-01"),
    coming(3, "2027-01-01"),
    edition({ number: 2 }),
  ];
  const until = /Only until January 1, 2027: then version 4 takes effect/;
  const replaces = /It replaces version 4, which is scheduled for January 1, 2027/;
  assert.match(told("2026-11-21", editions), until);
  assert.doesNotMatch(told("2026-11-21", editions), /It replaces/);
  for (const day of ["2027-01-01", "2027-02-01"]) {
    assert.match(told(day, editions), replaces);
    assert.match(told(day, editions), /Only until March 1, 2027: then version 5/);
  }
  const others = [
    edition({ number: 2 }),
    edition({ number: 1, withdrawn_at: "2026-11-20T12:00:00" }),
  ];
  assert.doesNotMatch(told("2026-11-21", others), /Only until|It replaces/);

  assert.match(shown({ editions, draft_version: 0 }), /Version 4 follows on January 1, 2027\./);
  assert.doesNotMatch(shown({ editions: others, draft_version: 0 }), /follows on/);
});
