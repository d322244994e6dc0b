import * as v from 'valibot'
import { defineRoutes, gates } from '../../kernel/index.ts'

const ListedTool = v.object({
  name: v.string(),
  description: v.string(),
  capability: v.picklist(['read', 'write']),
  source: v.pipe(
    v.string(),
    v.description('`built-in`, or `remote` for a tool from the file in ORCHESTRATOR_TOOL_MANIFEST_PATH.'),
  ),
  enabled: v.boolean(),
})

export const routes = defineRoutes({
  list: {
    method: 'GET',
    path: '/tools',
    gate: gates.access,
    summary: 'Lists the tools that agents may use, without their endpoints.',
    replies: { 200: v.object({ tools: v.array(ListedTool) }) },
  },
})
