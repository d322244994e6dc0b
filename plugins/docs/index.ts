import { createHash } from 'node:crypto'
import { definePlugin, routeList } from '../../kernel/index.ts'
import { apiVersion, openApiDocument } from './openapi.ts'
import { docsPage } from './page.ts'
import { contentSecurityPolicy } from './page/style.ts'
import { routes } from './routes.ts'

/** A description of every route, assembled from the route tables when it is first asked for. */
export default definePlugin({
  name: 'docs',
  tag: 'Health',
  needs: { routes: routeList },
  routes,
}).setup(({ needs }) => {
  const document = once(() => openApiDocument(needs.routes.all(), { version: apiVersion }))
  const json = once(() => tagged(JSON.stringify(document())))
  const page = once(() => tagged(docsPage(document())))
  const answerJson = () => ({ status: 200, ...json() }) as const
  return {
    handlers: {
      page: () => {
        const { body, headers } = page()
        return { status: 200, body, headers: { ...headers, 'content-security-policy': contentSecurityPolicy } }
      },
      json: answerJson,
      openapi: answerJson,
    },
  }
})

/** A text with headers that let a browser keep it, and ask before it shows it again. */
function tagged(body: string): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  return { body, headers: { etag, 'cache-control': 'private, no-cache' } }
}

/** Makes a value when it is first wanted and keeps it: the routes of a running service do not change. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
