import { about, faq, pricing } from './other-pages.ts'
import { home } from './home.ts'
import { services } from './services.ts'
import type { Page, SiteConfig } from '../../content/page.ts'

/** A small demo website: a bicycle workshop, with every block type that a page may have. */
export const demoPages: readonly Page[] = [home, services, pricing, about, faq]

/** The site-wide settings of the demo website. */
export const demoSiteConfig: SiteConfig = {
  name: 'Fern & Spoke',
  navLabels: { '/about': 'About us', '/faq': 'Questions' },
  navGroups: { 'What we do': ['/services', '/pricing'] },
}
