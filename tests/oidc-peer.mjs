// The certified OpenID provider `oidc-provider`, an independent implementation for the shop's sign-in tests:
//   node tests/oidc-peer.mjs SHOP_ORIGIN
// Prints its issuer once it listens. Any name can sign in; names that contain "staff" get the staff role.

import { createServer } from "node:http";
import Provider from "oidc-provider";

const [shop] = process.argv.slice(2);
const AUDIENCE = "shop-api";
const RESOURCE = "urn:shop-api";
const SCOPES = "openid profile email offline_access";

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const rolesOf = (id) => (id.includes("staff") ? ["staff", "customer"] : ["customer"]);
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "shop",
        client_secret: "demonstration",
        redirect_uris: [`${shop}/auth/callback`],
        post_logout_redirect_uris: [`${shop}/`],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
    ],
    cookies: { keys: ["only", "for", "tests"] },
    pkce: { required: () => true },
    scopes: SCOPES.split(" "),
    claims: { openid: ["sub", "roles"], profile: ["name"], email: ["email", "email_verified"] },
    // All claims in the ID token, not only at the userinfo endpoint.
    conformIdTokenClaims: false,
    rotateRefreshToken: true,
    issueRefreshToken: () => Promise.resolve(true),
    // The tests set the shop's clock ahead by the lifetime of an access token; ID tokens must still be valid then.
    ttl: { AccessToken: 300, RefreshToken: 86_400, Session: 86_400, Grant: 86_400, IdToken: 3600 },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: `Peer ${id}`,
        email: `${id}@peer.example`,
        email_verified: true,
        roles: rolesOf(id),
      }),
    }),
    extraTokenClaims: (_ctx, token) => ({ roles: rolesOf(token.accountId) }),
    features: {
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES,
          audience: AUDIENCE,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope(SCOPES);
      grant.addResourceScope(RESOURCE, SCOPES);
      await grant.save();
      return grant;
    },
  });
  server.on("request", provider.callback());
  console.log(`ISSUER ${issuer}`);
});
