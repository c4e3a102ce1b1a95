// The browser script of the Square stand-in: the part of Square's Web Payments SDK that takes cards, with the same names,
// results and errors. The card is entered in a frame of the stand-in's own origin, so the shop's page never sees it.
(() => {
  const script = document.currentScript;
  const base = new URL(script.src).origin;

  class SqError extends Error {
    constructor(message) {
      super(message);
      this.name = new.target.name;
    }
  }
  class BrowserNotSupportedError extends SqError {}
  class ElementNotFoundError extends SqError {}
  class InvalidApplicationIdError extends SqError {}
  class InvalidEventListenerCallbackError extends SqError {}
  class InvalidOptionError extends SqError {}
  class InvalidPaymentRequestError extends SqError {}
  class InvalidPaymentRequestUpdateError extends SqError {}
  class PaymentMethodAlreadyAttachedError extends SqError {}
  class PaymentMethodAlreadyDestroyedError extends SqError {}
  class PaymentMethodNotAttachedError extends SqError {}
  class PaymentMethodUnsupportedError extends SqError {}
  class PlaidMissingNameError extends SqError {}
  class UnexpectedError extends SqError {}
  class VerifyBuyerError extends SqError {}
  class WebSdkEmbedError extends SqError {}
  class TokenizationError extends SqError {
    constructor(errors = []) {
      super(errors.map((error) => error.message).join(", ") || "The card could not be tokenized.");
      this.errors = errors;
    }
  }

  /** The card form. Attached at most once at a time. */
  class Card {
    #options;
    #frame = null;
    #port = null;
    #listeners = new Map();
    #waiting = new Map();
    #calls = 0;
    #destroyed = false;
    #stopLoading = () => {};

    constructor(options) {
      this.#options = options;
    }

    async attach(target) {
      this.#assertAlive();
      if (this.#frame) throw new PaymentMethodAlreadyAttachedError("The card is already attached.");
      const place = typeof target === "string" ? document.querySelector(target) : target;
      if (!place) throw new ElementNotFoundError(`Element ${target} could not be found.`);
      const frame = document.createElement("iframe");
      frame.src = `${base}/v1/card`;
      frame.title = "Card details";
      Object.assign(frame.style, {
        border: "0",
        colorScheme: "inherit",
        display: "block",
        height: "232px",
        width: "100%",
      });
      this.#frame = frame;
      const loaded = new Promise((resolve, reject) => {
        frame.addEventListener("load", resolve, { once: true });
        this.#stopLoading = reject;
      });
      place.append(frame);
      await loaded;
      const { port1, port2 } = new MessageChannel();
      this.#port = port1;
      port1.onmessage = ({ data }) => this.#receive(data);
      frame.contentWindow.postMessage({ type: "square-stand-in" }, base, [port2]);
      await this.#call("configure", this.#options);
    }

    async configure(options) {
      this.#options = { ...this.#options, ...options };
      if (this.#frame) await this.#call("configure", this.#options);
    }

    async tokenize(verificationDetails) {
      this.#assertAttached();
      return this.#call("tokenize", verificationDetails ?? null);
    }

    async clear() {
      this.#assertAttached();
      return this.#call("clear");
    }

    async focus(field) {
      this.#assertAttached();
      this.#frame.focus();
      return this.#call("focus", field);
    }

    async setError(field) {
      this.#assertAttached();
      return this.#call("setError", field);
    }

    recalculateSize() {
      if (this.#frame) this.#call("recalculateSize").catch(() => {});
    }

    addEventListener(type, callback) {
      if (typeof callback !== "function") {
        throw new InvalidEventListenerCallbackError("The callback is not a function.");
      }
      this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), callback]);
    }

    removeEventListener(type, callback) {
      const kept = (this.#listeners.get(type) ?? []).filter((other) => other !== callback);
      this.#listeners.set(type, kept);
    }

    async detach() {
      this.#assertAlive();
      if (!this.#frame) return false;
      // A frame that is taken away while it loads never says that it has loaded.
      this.#stopLoading(new PaymentMethodNotAttachedError("The card was detached."));
      this.#frame.remove();
      this.#port?.close();
      this.#frame = null;
      this.#port = null;
      for (const { reject } of this.#waiting.values()) {
        reject(new PaymentMethodNotAttachedError("The card was detached."));
      }
      this.#waiting.clear();
      return true;
    }

    async destroy() {
      await this.detach();
      this.#destroyed = true;
      return true;
    }

    #assertAlive() {
      if (this.#destroyed) {
        throw new PaymentMethodAlreadyDestroyedError("The card was destroyed.");
      }
    }

    #assertAttached() {
      this.#assertAlive();
      if (!this.#port) throw new PaymentMethodNotAttachedError("The card is not attached.");
    }

    #call(method, argument) {
      const id = ++this.#calls;
      return new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        this.#port.postMessage({ id, method, argument });
      });
    }

    #receive(message) {
      if (message.height) this.#frame.style.height = `${message.height}px`;
      for (const callback of this.#listeners.get(message.event) ?? []) {
        callback({ type: message.event, detail: message.detail });
      }
      const waiting = this.#waiting.get(message.id);
      if (!waiting) return;
      this.#waiting.delete(message.id);
      if (message.failure) waiting.reject(new TokenizationError([message.failure]));
      else waiting.resolve(message.result);
    }
  }

  const unsupported = (name) => async () => {
    throw new PaymentMethodUnsupportedError(`${name} is not supported by the stand-in.`);
  };

  window.Square = {
    errors: {
      BrowserNotSupportedError,
      ElementNotFoundError,
      InvalidEventListenerCallbackError,
      InvalidOptionError,
      InvalidPaymentRequestError,
      InvalidPaymentRequestUpdateError,
      PaymentMethodUnsupportedError,
      PlaidMissingNameError,
      TokenizationError,
      UnexpectedError,
      VerifyBuyerError,
      WebSdkEmbedError,
    },
    payments(applicationId, locationId) {
      if (!/^(sandbox-sq0idb-|sq0idp-)/.test(applicationId ?? "")) {
        throw new InvalidApplicationIdError("The application id is not in the correct format.");
      }
      if (locationId !== undefined && !locationId) {
        throw new InvalidOptionError("The location id is empty.");
      }
      return {
        card: async (options = {}) => new Card(options),
        setLocale: async (locale) => ({ previousLocale: "en-US", newLocale: locale }),
        ach: unsupported("ACH"),
        afterpayClearpay: unsupported("Afterpay"),
        applePay: unsupported("Apple Pay"),
        cashAppPay: unsupported("Cash App Pay"),
        giftCard: unsupported("Gift card"),
        googlePay: unsupported("Google Pay"),
      };
    },
  };
})();
