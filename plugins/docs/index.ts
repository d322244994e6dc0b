import { createHash } from 'node:crypto'
import { definePlugin, optional, routeList } from '../../kernel/index.ts'
import { mountPath } from '../sites/port.ts'
import { routes } from './routes.ts'

/** The API description, generated from the route tables on first use. */
export default definePlugin({
  name: 'docs',
  tag: 'Health',
  needs: { routes: routeList, mountPath: optional(mountPath) },
  routes,
}).setup(({ needs }) => {
  const document = once(async () => {
    const { apiVersion, openApiDocument } = await import('./openapi.ts')
    return openApiDocument(needs.routes.all(), { version: apiVersion, server: needs.mountPath || undefined })
  })
  const json = once(async () => tagged(JSON.stringify(await document())))
  const page = once(async () => {
    const [{ docsPage }, { contentSecurityPolicy }] = await Promise.all([
      import('./page.ts'),
      import('./page/style.ts'),
    ])
    const { body, headers } = tagged(docsPage(await document()))
    return {
      status: 200,
      body,
      headers: { ...headers, 'content-security-policy': contentSecurityPolicy },
    } as const
  })
  const answerJson = async () => ({ status: 200, ...(await json()) }) as const
  return { handlers: { page, json: answerJson, openapi: answerJson } }
})

/** Adds headers for browser caches, which revalidate a text. */
function tagged(body: string): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  return { body, headers: { etag, 'cache-control': 'private, no-cache' } }
}

/** Computes a value on first use and caches it: the routes of a running service do not change. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
