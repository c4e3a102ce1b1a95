import { type RefObject, useEffect, useState } from "react";
import type { SquareView } from "../lib/types";
import { type CardForm, openCardForm } from "./card";

interface Props {
  square: SquareView;
  /** Set to the form once it is ready. */
  form: RefObject<CardForm | null>;
}

const PLACE = "card-form";

/** The container of the card form, with its loading and error states. */
export function CardField({ square, form }: Props) {
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round loads the form again.
  useEffect(() => {
    let left = false;
    setState("loading");
    const opening = openCardForm(square, PLACE);
    opening.then(
      (card) => {
        if (left) return;
        form.current = card;
        setState("ready");
      },
      () => !left && setState("failed"),
    );
    return () => {
      left = true;
      form.current = null;
      opening.then((card) => card.destroy()).catch(() => {});
    };
  }, [square, form, round]);

  return (
    <div className="card-field" data-state={state}>
      <div id={PLACE} />
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
