/** Makes the processes of `npm test` faster; loaded before their files. */
import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { enableCompileCache, syncBuiltinESMExports } from 'node:module'

// Most files import the whole service.
enableCompileCache()

// tap follows every promise, to find the test of an error that nothing catches: a third of the CPU time. Without that the
// error ends the process, with its stack; a file run by itself still names the test.
const hook: AsyncHook = { enable: () => hook, disable: () => hook }
asyncHooks.createHook = () => hook
syncBuiltinESMExports()
