import type { Command } from '../command.ts'
import { backup } from './backup.ts'
import { completionOf } from './completion.ts'
import { config } from './config.ts'
import { doctor } from './doctor.ts'
import { hashPassword } from './hash-password.ts'
import { init } from './init.ts'
import { openapi } from './openapi.ts'
import { plan } from './plan.ts'
import { register } from './register.ts'
import { restore } from './restore.ts'
import { routes } from './routes.ts'
import { serve } from './serve.ts'
import { tokenCreate } from './token-create.ts'
import { tokenList } from './token-list.ts'
import { tokenRevoke } from './token-revoke.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [serve, init, register, routes, plan, config, doctor, backup, restore, openapi, hashPassword, tokenCreate, tokenList, tokenRevoke, completionOf(() => commands)]
