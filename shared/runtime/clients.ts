/** What every AWS client of the service is made with: a call that hangs ends well before the function does. */
export const CLIENT_SETTINGS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 },
} as const;

/** The mailer tries again by itself, inside its own deadline. */
export const MAIL_CLIENT_SETTINGS = { ...CLIENT_SETTINGS, maxAttempts: 1 } as const;
