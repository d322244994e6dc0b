import type { NextConfig } from 'next'

const editors = process.env['EDITOR_CORS_ORIGINS']?.split(',') ?? []

/** Who may show pages in a frame: `fetchEditorPage` gives headers, but pages of the app router cannot send any. */
const config: NextConfig = {
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'content-security-policy', value: ["frame-ancestors 'self'", ...editors].join(' ') },
        { key: 'referrer-policy', value: 'no-referrer' },
      ],
    },
  ],
}
export default config
