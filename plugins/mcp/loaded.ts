import { defineRefusal } from '../../kernel/index.ts'
import type { McpParts, Mcp } from './server.ts'
import { Failed } from './tool.ts'

const missing = defineRefusal({ status: 503, code: 'mcp_missing', reason: (why: string) => why })

/** Loads the protocol when it is first wanted. Refuses with 503 `mcp_missing` while its package is not installed. */
export function createLoader(parts: McpParts): () => Promise<Mcp> {
  let loading: Promise<Mcp> | undefined
  return async () => {
    try {
      return await (loading ??= import('./server.ts').then(({ createMcp }) => createMcp(parts)))
    } catch (error) {
      loading = undefined
      throw error instanceof Failed ? missing(error.message) : error
    }
  }
}
