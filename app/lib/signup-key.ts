/** Set during a sign-up. In its own file, because `signup.ts` is loaded only then. */
export const SIGNUP_FLOW_KEY = "shop.signup_flow";
