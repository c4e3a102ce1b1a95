import { type RefObject, useEffect, useState } from "react";
import type { ProviderName, SquareView } from "../lib/types";
import type { CardForm } from "./card";
import { CardField } from "./card-field";
import { Choice, Section } from "./section";

interface Props {
  square: SquareView | null;
  card: RefObject<CardForm | null>;
  /** The payment methods allowed for these items and this delivery. */
  methods: readonly ProviderName[];
  payment: ProviderName | null;
  /** Null until it is known. */
  total: number | null;
  problem: string | undefined;
  onChoose: (method: ProviderName) => void;
}

const METHODS = {
  square: { title: "Card", note: "Visa, Mastercard, American Express, Discover" },
  pickup: { title: "Pay in the store", note: "By card or cash when you pick it up" },
};

export function Payment(props: Props) {
  const { square, card, methods, payment, total, problem, onChoose } = props;
  // Once shown, the card form stays mounted, so that a change of the address does not clear it.
  const [wasOffered, setWasOffered] = useState(false);
  const offersCard = methods.includes("square") && total !== 0;
  useEffect(() => {
    if (offersCard) setWasOffered(true);
  }, [offersCard]);
  return (
    <Section id="payment" title="Payment">
      {total === null && <p className="field-hint">First choose how to get your order.</p>}
      {total === 0 && <p className="field-hint">There’s nothing to pay.</p>}
      {methods.length > 1 && total !== 0 && (
        <fieldset className="ways-of">
          <legend className="visually-hidden">How to pay</legend>
          {methods.map((name) => (
            <Choice
              key={name}
              name="payment"
              value={name}
              checked={name === payment}
              {...METHODS[name]}
              onChoose={() => onChoose(name)}
            />
          ))}
        </fieldset>
      )}
      {methods.length === 1 && payment === "pickup" && total !== 0 && (
        <p className="checkout-note">
          You pay in the store, by card or cash, when you pick up your order.
        </p>
      )}
      {offersCard && (
        <noscript>
          <p className="checkout-note">
            Paying by card needs JavaScript. Where pickup is offered, you can pay in our store.
          </p>
        </noscript>
      )}
      {square && wasOffered && (
        <div hidden={payment !== "square" || total === 0}>
          <CardField square={square} form={card} />
          <p className="field-hint">
            Square processes your card securely. We never see your card number.
          </p>
        </div>
      )}
      {problem && <p className="field-error">{problem}</p>}
    </Section>
  );
}
