import { chromium as browsers } from 'playwright-core'
import type { Test } from 'tap'
import { chromium } from '../helpers/chromium.ts'
import { pages, type Run } from './acceptance.ts'

export interface Website {
  readonly origin: string
  /** The address of its orchestrator. */
  readonly orchestrator: string
  readonly siteId: string
  /** The secret of its drafts. */
  readonly secret: string
  /** How the frame is let in: by the secret in each address, or by the cookie of the draft route. */
  readonly admits: 'secret' | 'cookie'
  /** The credentials of an editor. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Fills a draft of a website for the run, and opens the page of an editor. */
export async function prepareRun(
  t: Test,
  website: Website,
  editorOrigin: string,
): Promise<Run & { readonly open: (origin: string) => Promise<Run['page']> }> {
  const { origin: site, orchestrator, siteId, secret, admits, headers } = website
  const draft = { siteId, session: 'bridge' }
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${orchestrator}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...draft, ...body }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  await post('/draft/bootstrap', { pages, overwrite: true })
  const browser = await browsers.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const open = async (origin: string): Promise<Run['page']> => {
    const page = await browser.newPage({ viewport: { width: 1040, height: 700 } })
    await page.goto(origin)
    return page
  }
  return {
    site,
    editorOrigin,
    open,
    page: await open(editorOrigin),
    address(slug, editorOrigin) {
      const context = { ...draft, editorOrigin, __editor: '1' }
      if (admits === 'secret') return `${site}${slug}?${new URLSearchParams({ ...context, secret })}`
      const redirect = `${slug}?${new URLSearchParams(context)}`
      return `${site}/api/editor/draft?${new URLSearchParams({ secret, redirect })}`
    },
    edit: (ops) => post('/ops', { ops }),
  }
}
