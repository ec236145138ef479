/** What You.com's endpoints have in common: https://you.com/docs/quickstart */
export const YOU = {
  slug: 'you',
  name: 'You.com',
  baseUrl: 'https://ydc-index.io',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['YOU_API_KEY', 'YDC_API_KEY'],
} as const;
