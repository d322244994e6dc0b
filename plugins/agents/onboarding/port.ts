import { service } from '../../../kernel/index.ts'

/** The words that start the command line of this package, program first; provided by `serve`. */
export const ownCommand = service<readonly [string, ...string[]]>('host.command')
