/** Without cookies the service forgets at each call that a code was entered. */
export const keepsNoCookies = (): boolean => navigator.cookieEnabled === false;
