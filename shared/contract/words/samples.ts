/** Values that the examples share, so that they fit one another. */

export const REQUEST_ID = '8b0f2c1e-7f0d-4c8e-9a55-3f0f5f2f6f10';
export const SIGNER_ID = '1f6c2f0a-35d4-4f6b-8f5e-9f3f1f0f2a77';
export const WEBHOOK_ENDPOINT_ID = 'we_2d1c0b9a-8f7e-4d6c-a5b4-93827160f5e4';
export const EVENT_ID = 'evt_7a6b5c4d-3e2f-4a1b-8c9d-0e1f2a3b4c5d';
export const UPLOAD_ID = '6e5d4c3b-2a19-4087-b6a5-94837261f0e5';
export const ACCESS_TOKEN = 'iw8sHn8NTI6aVT8PXy9vEAan-example-of-43-characters-and-not-a-token';
export const BASE_URL = 'https://sign.example.com';
export const SIGN_URL = `${BASE_URL}/sign/${ACCESS_TOKEN}`;
export const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
export const USER_ID = '5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d';
export const SESSION_ID = '9f86d081884c7d659a2feaa0c55ad015';
