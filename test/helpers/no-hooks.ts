/** Makes the process of a group faster; to be imported before tap. */
import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// tap follows every promise, to find the test of an error that nothing catches: a third of the CPU time. Without that
// `file-process.ts` finds the file.
const hook: AsyncHook = { enable: () => hook, disable: () => hook }
asyncHooks.createHook = () => hook
syncBuiltinESMExports()
