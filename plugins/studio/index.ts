import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import * as v from 'valibot'
import { definePlugin } from '../../kernel/index.ts'
import { imageOrigins } from '../media/port.ts'
import { noSuchFile, routes } from './routes.ts'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
}
/** Written into a policy, so nothing but the origin. */
const Origin = v.pipe(
  v.string(),
  v.check((text) => originOf(text) === text, 'must be an origin such as https://cdn.example.com'),
)
const forEver = 'public, max-age=31536000, immutable'

/** The studio: a page in which people edit, review and publish a website. A client of the API like any other. */
export default definePlugin({
  name: 'studio',
  tag: 'Preview',
  options: v.object({
    /** Origins of further images that the page shows, such as the storage of a CMS. */
    imageOrigins: v.optional(v.array(Origin), []),
  }),
  needs: { imageOrigins },
  routes,
}).setup(({ needs: { imageOrigins }, options, shape }) => {
  let files: Readonly<Record<string, string>> | undefined
  const compressed = new Map<string, Promise<Buffer>>()
  const load = async () => (files ??= (await import('./built.ts')).studioFiles())

  return {
    handlers: {
      async page() {
        const { 'index.html': page = '' } = await load()
        const pictures = [...new Set([...imageOrigins.flat(), ...options.imageOrigins])]
        const body = page.replace('PICTURES', () => pictures.join(' '))
        const etag = `"${createHash('sha256').update(body).update(policy).digest('base64url')}"`
        return { status: 200, body, headers: { etag, 'cache-control': 'no-cache', ...headers } }
      },
      async file({ params: { name }, header }) {
        const built = await load()
        const body = name !== 'index.html' && Object.hasOwn(built, name) ? built[name] : undefined
        if (body === undefined) throw noSuchFile()
        const headers = {
          'content-type': types[name.split('.').at(-1) ?? ''] ?? '',
          'cache-control': forEver,
          vary: 'accept-encoding',
        }
        // Hosts of a mount compress, and Next.js drops the header of what is compressed already.
        if (shape !== 'standalone' || !acceptsGzip(header('accept-encoding')))
          return { status: 200, body: Buffer.from(body), headers: { ...headers, etag: `"${name}"` } }
        const bytes = compressed.get(name) ?? compress(body)
        compressed.set(name, bytes)
        const encoded = { 'content-encoding': 'gzip', etag: `"${name}.gz"` }
        return { status: 200, body: await bytes, headers: { ...headers, ...encoded } }
      },
    },
  }
})

const compress = promisify(gzip)
const acceptsGzip = (accepted = ''): boolean =>
  accepted.split(',').some((each) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(each))

const originOf = (address: string): string | undefined => {
  const url = URL.parse(address)
  return url && /^https?:\/\/[\w.:[\]-]+$/.test(url.origin) ? url.origin : undefined
}

/**
 * The policy of the page: no code but its own. Everybody gets this header, also with the gate closed, so it names no
 * site: the page narrows frames and pictures to the registered sites by itself, once it may know them.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data: http: https:",
  "connect-src 'self'",
  "frame-src 'self' http: https:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types ProseMirrorClipboard',
].join('; ')

const headers = {
  'content-security-policy': policy,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const
