import { service } from '../../kernel/index.ts'

/** The words that start the command line of this package, handed in by a host that is one: the program, and what stands before a command. */
export const ownCommand = service<readonly [string, ...string[]]>('host.command')
