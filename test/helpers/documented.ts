import type { Test } from 'tap'
import { apiVersion, isPublished, openApiDocument } from '../../plugins/docs/testing.ts'
import { routesOf } from '../surface/shapes.ts'
import { keys, startContentful, startUnsplash } from './media-providers.ts'
import { serveDemo } from './serve-demo.ts'

/** Starts the demo with media libraries, and makes the document of its routes. */
export async function openDocumented(t: Pick<Test, 'teardown'>) {
  const routes = (await routesOf('standalone')).filter(isPublished)
  const document = await openApiDocument(routes, { version: apiVersion })
  const [unsplash, contentful] = [await startUnsplash(t), await startContentful(t)]
  const { origin } = await serveDemo(t, {
    PREVIEW_BROWSER: '/none/chromium',
    UNSPLASH_ACCESS_KEY: keys.unsplash,
    UNSPLASH_BASE_URL: unsplash.origin,
    CONTENTFUL_SPACE_ID: 'space1',
    CONTENTFUL_DELIVERY_TOKEN: keys.contentful,
    CONTENTFUL_BASE_URL: contentful.origin,
  })
  return { routes, document, origin }
}
