import { type RefObject, useEffect, useState } from "react";
import type { SquareView } from "../lib/types";
import type { CardForm } from "./card";

interface Props {
  square: SquareView;
  /** Set to the form once it is ready. */
  form: RefObject<CardForm | null>;
}

const CONTAINER_ID = "card-form";

/** The container of the card form, with its loading and error states. */
export function CardField({ square, form }: Props) {
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  const [round, setRound] = useState(0);

  const { script, application_id, location_id } = square;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round loads the form again; a refreshed page has an equal object.
  useEffect(() => {
    let unmounted = false;
    setState("loading");
    const opening = import("./card").then(({ openCardForm }) => openCardForm(square, CONTAINER_ID));
    opening.then(
      (card) => {
        if (unmounted) return;
        form.current = card;
        setState("ready");
      },
      () => !unmounted && setState("failed"),
    );
    return () => {
      unmounted = true;
      form.current = null;
      opening.then((card) => card.destroy()).catch(() => {});
    };
  }, [script, application_id, location_id, form, round]);

  return (
    <div className="card-field" data-state={state}>
      <div id={CONTAINER_ID} />
      {state === "loading" && <p className="field-hint">Loading the card form…</p>}
      {state === "failed" && (
        <div role="alert">
          <p className="field-error">
            The card form didn’t load. An ad blocker or a poor connection may be the cause.
          </p>
          <button type="button" className="link" onClick={() => setRound(round + 1)}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}
