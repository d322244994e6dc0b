import { type Language, list, pairs } from './language.ts'

/** What people say to be friendly. */
export const courtesies: Language['courtesies'] = {
  thanks: list(`thanks, thank you, thank u, thx, ty, thanks a lot, thanks a million, thanks so much, thanks very much, thank you so much, thank you very much, many thanks,
    thanks again, thank you again, much appreciated, i appreciate it, cheers`),
  praise: [
    ...list(`great, perfect, nice, good, awesome, cool, excellent, wonderful, fantastic, amazing, brilliant, lovely, super, beautiful, well done, love it, i love it, i like it,
      nice one, very good, very nice, wow, it works, that worked, that works`),
    ...pairs('good, great, nice, excellent, amazing', 'job, work'),
  ],
  greetings: list('hi, hello, hey, yo, greetings, good morning, good afternoon, good evening, good day, how are you, how are you doing, how do you do'),
  farewells: list('bye, bye bye, goodbye, good bye, good night, see you, see you later, see you soon, see ya, have a nice day'),
  around: list(`ok, okay, oh, so, and, all, now, very, really, just, much, there, again, everybody, everyone, it, this, that, that 's, that is, it 's, it is, this is, looks, for,
    for your help, for the help, for that, for this, you, i, today`),
}
