// Inside the frame: the fields, what is wrong with them, and the bank's question. Talks to square.js through one port.
const NAMES = ["cardNumber", "expirationDate", "cvv", "postalCode"];
const BRANDS = [
  [/^4/, "VISA", "Visa"],
  [/^5[1-5]|^2[2-7]/, "MASTERCARD", "Mastercard"],
  [/^3[47]/, "AMERICAN_EXPRESS", "American Express"],
  [/^6011|^65/, "DISCOVER", "Discover"],
  [/^3[068]/, "DISCOVER_DINERS", "Diners Club"],
  [/^35/, "JCB", "JCB"],
  [/^62/, "CHINA_UNIONPAY", "UnionPay"],
];
const byId = (id) => document.getElementById(id);
const fields = Object.fromEntries(NAMES.map((name) => [name, byId(name)]));
const card = byId("card");
const challenge = byId("challenge");
let port = null;

const digits = (text) => text.replace(/\D/g, "");
const number = () => digits(fields.cardNumber.value);
const brandOf = (text) => BRANDS.find(([pattern]) => pattern.test(text));

/** Luhn's sum. */
function isCardNumber(text) {
  let sum = 0;
  [...text].reverse().forEach((digit, at) => {
    const doubled = Number(digit) * (at % 2 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  });
  return text.length >= 13 && text.length <= 19 && sum % 10 === 0;
}

function problemOf(name) {
  const value = digits(fields[name].value);
  if (!value) {
    return {
      cardNumber: "Enter the card number.",
      expirationDate: "Enter the date on the card.",
      cvv: "Enter the security code.",
      postalCode: "Enter the ZIP code.",
    }[name];
  }
  switch (name) {
    case "cardNumber":
      return isCardNumber(value) ? "" : "The card number is not complete or has a wrong digit.";
    case "expirationDate": {
      const month = Number(value.slice(0, 2));
      return value.length === 4 && month >= 1 && month <= 12
        ? ""
        : "Enter month and year as MM/YY.";
    }
    case "cvv": {
      const length = brandOf(number())?.[1] === "AMERICAN_EXPRESS" ? 4 : 3;
      return value.length === length ? "" : `Enter the ${length} digits of the security code.`;
    }
    default:
      return value.length === 5 ? "" : "Enter the five digits of the ZIP code.";
  }
}

function show(input, problem) {
  const had = input.getAttribute("aria-invalid") === "true";
  input.setAttribute("aria-invalid", String(Boolean(problem)));
  byId(`${input.id}-error`).textContent = problem;
  if (had !== Boolean(problem)) tell(problem ? "errorClassAdded" : "errorClassRemoved", input.id);
  resize();
}

function tell(event, field) {
  port?.postMessage({
    event,
    detail: {
      cardBrand: brandOf(number())?.[1] ?? "OTHER_BRAND",
      eventType: event,
      field,
      postalCodeValue: fields.postalCode.value,
      currentState: {
        hasErrorClass: fields[field]?.getAttribute("aria-invalid") === "true",
        hasFocusClass: document.activeElement?.id === field,
        isCompletelyValid: field in fields && !problemOf(field),
        isEmpty: !fields[field]?.value,
        isPotentiallyValid: true,
      },
    },
  });
}

function resize() {
  port?.postMessage({
    height: Math.ceil(byId("panel").getBoundingClientRect().height),
  });
}

function format(name) {
  const input = fields[name];
  const atEnd = input.selectionStart === input.value.length;
  const value = digits(input.value);
  if (name === "cardNumber") {
    const amex = brandOf(value)?.[1] === "AMERICAN_EXPRESS";
    const groups = amex
      ? [value.slice(0, 4), value.slice(4, 10), value.slice(10)]
      : (value.match(/.{1,4}/g) ?? []);
    input.value = groups.filter(Boolean).join(" ");
    const brand = brandOf(value)?.[2] ?? "";
    if (byId("brand").textContent !== brand) {
      byId("brand").textContent = brand;
      tell("cardBrandChanged", name);
    }
  } else if (name === "expirationDate") {
    const padded = /^[2-9]/.test(value) ? `0${value}` : value;
    input.value = padded.length > 2 ? `${padded.slice(0, 2)}/${padded.slice(2, 4)}` : padded;
  } else {
    input.value = value;
    if (name === "postalCode") tell("postalCodeChanged", name);
  }
  if (atEnd) input.setSelectionRange(input.value.length, input.value.length);
  if (input.getAttribute("aria-invalid") === "true") show(input, problemOf(name));
}

for (const name of NAMES) {
  fields[name].addEventListener("input", () => format(name));
  fields[name].addEventListener("focus", () => tell("focusClassAdded", name));
  fields[name].addEventListener("blur", () => {
    tell("focusClassRemoved", name);
    if (fields[name].value) show(fields[name], problemOf(name));
  });
}
card.addEventListener("keydown", (event) => {
  if (event.key === "Escape") tell("escape", event.target.id);
  if (event.key === "Enter") {
    event.preventDefault();
    tell("submit", event.target.id);
  }
});
card.addEventListener("submit", (event) => event.preventDefault());

const invalid = (errors) => ({
  status: "Invalid",
  errors: errors.map(([field, message]) => ({ type: "VALIDATION_ERROR", field, message })),
});

async function request(verify, code) {
  const [month, year] = fields.expirationDate.value.split("/").map(Number);
  const response = await fetch("/v1/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      number: number(),
      exp_month: month,
      exp_year: 2000 + year,
      cvv: fields.cvv.value,
      postal_code: fields.postalCode.value,
      verify,
      challenge_code: code,
    }),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

async function tokenize(details) {
  const problems = NAMES.map((name) => [name, problemOf(name)]).filter(([, problem]) => problem);
  for (const name of NAMES) show(fields[name], problemOf(name));
  if (problems.length) {
    fields[problems[0][0]].focus();
    return invalid(problems);
  }
  const answer = await request(Boolean(details));
  return answer.status === "Challenge" ? ask() : settle(answer);
}

function settle(answer) {
  for (const { field, message } of answer.errors ?? []) {
    if (fields[field]) {
      show(fields[field], message);
      fields[field].focus();
    }
  }
  return answer;
}

/** Asks for the bank's code until it is right or the buyer gives up. */
function ask() {
  card.hidden = true;
  challenge.hidden = false;
  const code = byId("code");
  code.value = "";
  show(code, "");
  code.focus();
  return new Promise((resolve, reject) => {
    const leave = (finish, result) => {
      challenge.onsubmit = null;
      byId("cancel").onclick = null;
      challenge.hidden = true;
      card.hidden = false;
      resize();
      finish(result);
    };
    byId("cancel").onclick = () => leave(resolve, { status: "Cancel" });
    challenge.onsubmit = async (event) => {
      event.preventDefault();
      try {
        const answer = await request(true, digits(code.value));
        if (answer.status === "OK") return leave(resolve, answer);
        show(code, "This is not the code. It is 123456.");
        code.focus();
      } catch (error) {
        leave(reject, error);
      }
    };
  });
}

const methods = {
  configure: (options) => {
    if (options?.postalCode && !fields.postalCode.value)
      fields.postalCode.value = options.postalCode;
    resize();
  },
  tokenize,
  clear: () => {
    card.reset();
    byId("brand").textContent = "";
    for (const name of NAMES) show(fields[name], "");
    return true;
  },
  focus: (name) => {
    fields[name]?.focus();
    return name in fields;
  },
  setError: (name) => {
    if (name in fields) show(fields[name], problemOf(name) || "Check this field.");
    return name in fields;
  },
  recalculateSize: resize,
};

// The first page that frames this one and asks gets the port; what it may do is in `methods`.
addEventListener("message", ({ source, data, ports }) => {
  if (port || source !== parent || data?.type !== "square-stand-in" || !ports[0]) return;
  port = ports[0];
  port.onmessage = async ({ data: { id, method, argument } }) => {
    try {
      port.postMessage({ id, result: await methods[method](argument) });
    } catch (error) {
      port.postMessage({
        id,
        failure: { type: "UNEXPECTED_ERROR", message: String(error.message) },
      });
    }
  };
  new ResizeObserver(resize).observe(byId("panel"));
});
