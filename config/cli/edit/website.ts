/** The website in a folder, as a server shows its draft: a checkout with its development server, behind a proxy. */
import { randomBytes } from 'node:crypto'
import { give } from '../../../kernel/index.ts'
import { contentAdapter } from '../../../plugins/content/adapter.ts'
import { generateManifest } from '../../../plugins/content/manifest.ts'
import {
  type Checkout,
  createAddresses,
  createPreviewProxy,
  type DevProject,
} from '../../../plugins/checkout/port.ts'
import type { Page } from '../../../plugins/content/page.ts'
import { fileBlocks } from '../../../plugins/files/port.ts'
import type { ContentFiles } from '../../../plugins/files/adapter/index.ts'
import { createPlaces } from '../../../plugins/page-texts/port.ts'
import { defaultSession } from '../../../plugins/scope/port.ts'
import { toRegistry } from '../../../plugins/site/blocks.ts'
import { hostSite } from '../../../plugins/sites/port.ts'
import { createSiteEditor } from '../../create-site-editor.ts'
import { draftSecretIn } from '../../site-environment.ts'
import type { OpenWebsite } from '../serve/own-website.ts'
import { createPageRoutes, pageScript } from './page-routes.ts'

/** The name of the studio. Those of previews are below it, so that browsers treat both as one website. */
export const editHost = 'edit.localhost'
export const studioOrigin = (port: number): string => `http://${editHost}:${port}`
export const previewOrigin = (siteId: string, port: number): string => `http://${siteId}.${editHost}:${port}`

export interface EditedWebsite {
  readonly project: DevProject
  readonly siteId: string
  readonly siteName: string
  readonly files: ContentFiles
  /** The checkout, once it is there. */
  readonly checkout: () => Checkout | undefined
}

/** Returns the website for a server, and the places of its texts, which follow the draft. */
export function editedWebsite({ project, siteId, siteName, files, checkout }: EditedWebsite) {
  const places = createPlaces([])
  const addresses = createAddresses(project.framework, () => checkout()?.folder)
  const open: OpenWebsite = async ({ port, env, log }) => {
    const origin = previewOrigin(siteId, port)
    const { host } = new URL(origin)
    const editorOrigin = studioOrigin(port)
    const secret = draftSecretIn(env) ?? randomBytes(16).toString('hex')
    const key = randomBytes(16).toString('hex')
    const editor = createSiteEditor({
      adapter: files,
      blocks: fileBlocks,
      draftSecret: secret,
      siteId,
      editorOrigins: [editorOrigin],
      logger: log.child({ site: siteId }),
    })
    const own = createPageRoutes({
      draft: { siteId, session: defaultSession },
      secret,
      key,
      editorOrigin,
      editor,
      places,
      addresses,
      lineOf: files.lineOf,
      picture: files.picture,
    })
    const proxy = createPreviewProxy({
      origin: () => checkout()?.origin,
      isHost: (given) => given === host,
      key,
      script: pageScript,
      frameAncestors: [editorOrigin],
      own,
    })
    return {
      origin,
      variables: { ORCHESTRATOR_DEFAULT_SITE_ID: siteId, DRAFT_MODE_SECRET: secret },
      seeds: [
        give(contentAdapter, files),
        give(hostSite, { siteName, demoContent: false, blocks: generateManifest(toRegistry(fileBlocks)) }),
      ],
      plugins: [],
      front: {
        isFor: ({ headers }) => headers.host === host,
        request: proxy.request,
        upgrade: proxy.upgrade,
      },
      async close() {
        proxy.close()
        await editor.close()
        await checkout()?.close()
      },
    }
  }
  let shown: ReadonlyMap<string, Page> = new Map()
  return {
    open,
    /** Finds the texts of these pages from now on. */
    showPages(pages: readonly Page[]): void {
      const next = new Map(pages.map((page) => [page.slug, page]))
      for (const slug of shown.keys()) if (!next.has(slug)) places.remove(slug)
      for (const [slug, page] of next) if (shown.get(slug) !== page) places.update(page)
      shown = next
    },
  }
}
