import * as v from 'valibot'
import { optionalBaseVersion, optionalSlug } from '../arguments.ts'
import { requestTool, type Tool } from '../tool.ts'

/** Tools for what is wrong with a draft. */
export const checkTools: readonly Tool[] = [
  requestTool({
    name: 'list-checks',
    description: 'Lists what is wrong with the draft: links, descriptions of images, headings, required fields.',
    input: v.object({ slug: optionalSlug, severity: v.optional(v.picklist(['error', 'warning', 'info'])) }),
    reads: true,
    byDefault: true,
    route: 'GET /checks',
    request: (query) => ({ query }),
  }),
  requestTool({
    name: 'fix-checks',
    description: 'Puts findings of list-checks right, all in one change that can be undone.',
    input: v.object({ findingIds: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(200)), dryRun: v.optional(v.boolean()), baseVersion: optionalBaseVersion }),
    route: 'POST /checks/fix',
    request: ({ baseVersion, ...json }) => ({ json, baseVersion }),
  }),
]
