/** Set while a sign-up is on its way. Apart from the rest, which is loaded only then. */
export const SIGNUP_FLOW_KEY = "shop.signup_flow";
