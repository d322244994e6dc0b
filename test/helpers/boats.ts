/** The pages of a boat rental, for tests of chat. */
import type { Block, Page, Props } from '../../plugins/content/page.ts'
import { pageOf } from './content.ts'

export const boatHero = (more: Props = {}): Block => ({
  id: 'b_hero',
  type: 'Hero',
  props: { heading: 'Boats', subheading: 'For the lake', ctaText: 'Rent', ctaHref: '/rent', ...more },
})

export const richText = (id: string, title: string, body: string): Block => ({
  id,
  type: 'RichText',
  props: { title, body },
})

/** The home page: a hero, a text with this body, and further blocks. */
export const boatHome = (body: string, ...more: readonly Block[]): Page =>
  pageOf('/', [boatHero(), richText('b_text', 'About', body), ...more])

export const boatAbout: Page = pageOf('/about', [richText('b_us', 'Us', 'Two people.')], { title: 'About' })
