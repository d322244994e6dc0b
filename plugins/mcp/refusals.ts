import { defineRefusal } from '../../kernel/index.ts'

export const missing = defineRefusal({ status: 503, code: 'mcp_missing', reason: (why: string) => why })
