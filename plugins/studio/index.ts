import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { definePlugin } from '../../kernel/index.ts'
import { scope } from '../scope/port.ts'
import { sites } from '../sites/port.ts'
import { noSuchFile, routes } from './routes.ts'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
}
const forEver = 'public, max-age=31536000, immutable'

/** The studio: a page in which people edit, review and publish a website. A client of the API like any other. */
export default definePlugin({ name: 'studio', tag: 'Preview', needs: { scope, sites }, routes }).setup(
  ({ needs: { scope, sites } }) => {
    let files: Readonly<Record<string, string>> | undefined
    const compressed = new Map<string, Promise<Buffer>>()
    const load = async () => (files ??= (await import('./built.ts')).studioFiles())

    return {
      handlers: {
        async page() {
          const { 'index.html': body = '' } = await load()
          const { session } = scope.draft({})
          const origins = (await sites.list(session)).flatMap(
            ({ config }) => originOf(config.previewUrl) ?? [],
          )
          const etag = `"${createHash('sha256').update(body).update(origins.join()).digest('base64url')}"`
          return { status: 200, body, headers: { etag, 'cache-control': 'no-cache', ...headersFor(origins) } }
        },
        async file({ params: { name }, header }) {
          const known = await load()
          const body = name !== 'index.html' && Object.hasOwn(known, name) ? known[name] : undefined
          if (body === undefined) throw noSuchFile()
          const headers = {
            'content-type': types[name.split('.').at(-1) ?? ''] ?? '',
            'cache-control': forEver,
            vary: 'accept-encoding',
          }
          if (!acceptsGzip(header('accept-encoding')))
            return { status: 200, body: Buffer.from(body), headers: { ...headers, etag: `"${name}"` } }
          const bytes = compressed.get(name) ?? compress(body)
          compressed.set(name, bytes)
          const encoded = { 'content-encoding': 'gzip', etag: `"${name}.gz"` }
          return { status: 200, body: await bytes, headers: { ...headers, ...encoded } }
        },
      },
    }
  },
)

const compress = promisify(gzip)
const acceptsGzip = (accepted = ''): boolean =>
  accepted.split(',').some((each) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)|$)/i.test(each))

const originOf = (address: string | undefined): string | undefined => {
  const url = address === undefined ? null : URL.parse(address)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.origin : undefined
}

/** The policy of the page: no code but its own, and no frames but those of the registered sites. */
function headersFor(origins: readonly string[]): Readonly<Record<string, string>> {
  const frames = [...new Set(origins)].join(' ')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' blob: data: ${frames}`,
    "connect-src 'self'",
    `frame-src 'self' ${frames}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types ProseMirrorClipboard',
  ]
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
}
