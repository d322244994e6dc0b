import type { Rule } from '../lexicon.ts'
import { blocks } from './rules/blocks.ts'
import { clearing } from './rules/clearing.ts'
import { context } from './rules/context.ts'
import { incomplete } from './rules/incomplete.ts'
import { layout } from './rules/layout.ts'
import { links } from './rules/links.ts'
import { meta } from './rules/meta.ts'
import { pages } from './rules/pages.ts'
import { rows } from './rules/rows.ts'
import { site } from './rules/site.ts'
import { texts } from './rules/texts.ts'

/** What English sentences do, in order of precedence. */
export const rules: readonly Rule[] = [
  ...context, ...layout, ...site, ...meta, ...pages, ...links, ...texts, ...rows, ...blocks, ...clearing, ...incomplete,
]
