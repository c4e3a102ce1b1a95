// Square's card form. The card is entered in Square's iframe, and the page receives a token for it.
import type { SquareView } from "../lib/types";

export interface CardForm {
  tokenize(details: VerificationDetails): Promise<TokenResult>;
  destroy(): Promise<unknown>;
}

/** Details for the verification by the buyer's bank. */
export interface VerificationDetails {
  /** As `12.34`. */
  amount: string;
  currencyCode: string;
  intent: "CHARGE";
  customerInitiated: boolean;
  sellerKeyedIn: boolean;
  billingContact: Record<string, string | string[]>;
}

interface TokenResult {
  status: string;
  token?: string;
  errors?: { message: string }[];
}

interface Square {
  payments(
    application: string,
    location: string,
  ): { card(): Promise<CardForm & { attach(target: HTMLElement | string): Promise<void> }> };
}

const LOAD_MS = 15_000;
/** Limit for an iframe that never responds. Within it, shoppers answer their bank's question. */
const TOKENIZE_MS = 10 * 60_000;

let loading: Promise<Square> | null = null;

/** Loads the script once; after a failure, the next call tries again. */
function loadSquare(script: string): Promise<Square> {
  loading ??= new Promise<Square>((resolve, reject) => {
    const element = document.createElement("script");
    const fail = () => {
      clearTimeout(timer);
      element.remove();
      loading = null;
      console.error("Failed to load Square sdk");
      reject(new Error("Failed to load Square sdk"));
    };
    const timer = setTimeout(fail, LOAD_MS);
    element.src = script;
    element.onerror = fail;
    element.onload = () => {
      clearTimeout(timer);
      const { Square } = window as Window & { Square?: Square };
      if (Square) resolve(Square);
      else fail();
    };
    document.head.append(element);
  });
  return loading;
}

/** Attaches the form to the element with this id. */
export async function openCardForm(square: SquareView, id: string): Promise<CardForm> {
  const loaded = await loadSquare(square.script);
  const card = await loaded.payments(square.application_id, square.location_id).card();
  await card.attach(`#${id}`);
  return card;
}

/** The card's token, or an error message for the shopper. */
export async function tokenOf(
  card: CardForm,
  details: VerificationDetails,
): Promise<{ token: string } | { problem: string }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<TokenResult>((resolve) => {
    timer = setTimeout(() => resolve({ status: "Late" }), TOKENIZE_MS);
  });
  try {
    const result = await Promise.race([card.tokenize(details), timeout]);
    if (result.status === "OK" && result.token) return { token: result.token };
    return { problem: PROBLEMS[result.status] ?? PROBLEMS.Error ?? "" };
  } finally {
    clearTimeout(timer);
  }
}

const PROBLEMS: Record<string, string> = {
  Invalid: "Check the card details that are marked.",
  Cancel:
    "Your bank couldn’t verify your card. Nothing was charged. Try again or use another card.",
  Abort: "Your bank couldn’t verify your card. Nothing was charged. Try again or use another card.",
  Error: "We couldn’t verify your card. Nothing was charged. Try again or use another card.",
  Late: "The card form didn’t respond. Nothing was charged. Please try again.",
};
