import { definePlugin } from '../../kernel/index.ts'
import { createMemoryBus } from './memory.ts'
import { bus } from './port.ts'

/** Events between plugins of one process. */
export default definePlugin({ name: 'bus', tag: 'Health', gives: { bus } }).setup(({ log }) => ({ gives: { bus: createMemoryBus({ log }) } }))
