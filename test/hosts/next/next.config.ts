import type { NextConfig } from 'next'

const editors = process.env['EDITOR_CORS_ORIGINS']?.split(',') ?? []

/** Origins that may frame pages: `fetchEditorPage` returns headers, but pages of the app router cannot set any. */
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
