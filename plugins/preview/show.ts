import { Refusal } from '../../kernel/index.ts'
import { html } from '../content/markup.ts'
import { navigationOf } from '../content/navigation.ts'
import { comparison } from './comparison.ts'
import { contentSecurityPolicy, documentOf, renderPage } from './document.ts'
import type { Claims, Links } from './links.ts'
import type { Viewed, ReadView } from './views.ts'

/** An answer for people. */
export interface ShownPage {
  readonly status: 200 | 403 | 410 | 503
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface ShowParts {
  readonly links: Links
  readonly read: ReadView
  /** The origin of the site of a draft, where it is known. */
  readonly siteOf: (claims: Claims) => Promise<string | undefined>
}

/** Nothing runs in what is shown, and only this service itself shows it in a frame. */
const confined = "frame-ancestors 'self'; sandbox allow-same-origin"

/** Shows what a link is for; whatever keeps it from that is a page with a sentence. */
export async function show(link: string, { links, read, siteOf }: ShowParts): Promise<ShownPage> {
  const answer = (status: ShownPage['status'], body: string, policy: string): ShownPage => ({
    status,
    body,
    headers: { 'content-security-policy': `${policy}; ${confined}`, 'x-robots-tag': 'noindex' },
  })
  const say = (status: ShownPage['status'], title: string, sentence: string): ShownPage => {
    const { markup, policy } = documentOf({ title, body: html`<h1>${title}</h1><p>${sentence}</p>` })
    return answer(status, markup, policy)
  }

  const showPage = async (claims: Claims, { page, slugs, siteConfig, notice }: Viewed): Promise<ShownPage> => {
    const { siteId, slug, framed = false } = claims
    if (!page) return say(410, 'No page here', `There is no page ${slug} in this state. ${notice}`)
    const navigation = navigationOf({ slugs, config: siteConfig, current: slug, siteId })
    const from = await siteOf(claims)
    const markup = renderPage({ page, navigation, siteName: navigation.name, notice: framed ? undefined : notice, draft: false, away: { from } })
    return answer(200, markup, contentSecurityPolicy.replace("base-uri 'none'", `base-uri ${from ?? "'none'"}`))
  }

  const showLink = async (): Promise<ShownPage> => {
    const found = links.read(link)
    if (found.kind === 'altered') return say(403, 'This link does not count', 'It is not complete, or was changed. Copy all of it, or ask for another one.')
    if (found.kind === 'expired') return say(410, 'This link has ended', 'Links to previews count for an hour. Ask for another one.')
    const { claims } = found
    const { shown, slug } = claims
    if (shown.what !== 'compare') {
      const state = await read(claims, slug, shown)
      return state.kind === 'gone' ? say(410, 'Nothing to show any more', state.why) : showPage(claims, state.viewed)
    }
    const [before, after] = [await read(claims, slug, shown.before), await read(claims, slug, shown.after)]
    if (before.kind === 'gone') return say(410, 'Nothing to compare any more', before.why)
    if (after.kind === 'gone') return say(410, 'Nothing to compare any more', after.why)
    const frame = (side: typeof shown.before): string => `show?${new URLSearchParams({ link: links.sign({ ...claims, shown: side, framed: true }) })}`
    const sides = { before: { ...before.viewed, address: frame(shown.before) }, after: { ...after.viewed, address: frame(shown.after) } }
    const { markup, policy } = documentOf({ title: `Compared: ${slug}`, body: comparison(slug, sides) })
    return answer(200, markup, policy)
  }

  try {
    return await showLink()
  } catch (error) {
    if (error instanceof Refusal) return say(503, 'This cannot be shown now', error.reason)
    throw error
  }
}
