import type { Rule } from '../rule.ts'
import { a11yRules } from './a11y.ts'
import { contentRules } from './content.ts'
import { deadLink, linkRules } from './links.ts'
import { mediaRules } from './media.ts'
import { pageRules } from './pages.ts'
import { seoRules } from './seo.ts'
import { siteRules } from './site.ts'

/** The rules that come with the orchestrator, in the order in which they are listed. */
export const builtinRules: readonly Rule[] = [...a11yRules, ...contentRules, ...linkRules, deadLink, ...pageRules, ...seoRules, ...mediaRules, ...siteRules]
