/** English lines that show a character, by leaning. */
export const character: Readonly<Record<string, string>> = {
  'trait.outgoing': `
    I make friends in checkout lines.
    I'm the one who starts the dancing at weddings.
    My calendar is full, but I keep a chair free.
    Put me in a room of strangers and I'll leave with a dinner invitation.
    I think better out loud, ideally with company.
    I host. If there's a holiday, there's a table at my place.
    Silence on a road trip makes me nervous, so I brought a playlist.
  `,
  'trait.quiet': `
    I'm quiet until I know you, and then good luck.
    Big parties wear me out; give me four people and a long dinner.
    I like people one at a time.
    I'd rather listen than talk, but I do have my subjects.
    An evening at home is not a backup plan for me. It's the plan.
    I recharge alone, and I'll be better company for it.
    I'm the person at the party who found the cat.
  `,
  'trait.curious': `
    I read the plaques in museums. All of them.
    I'm teaching myself {language_learned}, slowly and out loud on the bus.
    I like questions that don't have an answer by dessert.
    I change my mind when I learn something new, which annoys my brother.
    I'll try anything on the menu that I can't pronounce.
    I collect odd facts and give them away at dinner.
    Tell me what you know a lot about. I mean it.
  `,
  'trait.practical': `
    I'm practical: I fix things, I show up, I bring a sweater.
    I like what works.
    I don't care for fads, but I own a good flashlight.
    If it's broken, I'll have a look at it. If it's you, I'll make soup.
    I'm not one for big theories; I'd rather build the shelf.
    {over25}I've had the same wallet since high school.
  `,
  'trait.driven': `
    I like a plan, a list, and the feeling of crossing things off.
    I'm up at six, usually without being asked.
    I work hard, and I'm learning to stop at seven.
    When I start something I finish it, including one regrettable pot of {dish}.
    I'm never late. It's a gift and a curse.
    I set myself one hard thing a year; this year it's learning {language_learned}.
  `,
  'trait.relaxed': `
    I'm not in a hurry.
    My desk is a mess, but I know where everything is.
    I've never understood people who make their bed twice.
    Plans are nice. So is lying in the grass.
    I take the slow road whenever there is one.
    I'm allergic to drama and to alarm clocks.
    If we get lost, we get lost.
  `,
  'trait.warm': `
    I say I love you at the end of phone calls.
    I remember how you take your coffee.
    I'm affectionate and I don't hide it.
    When a friend moves house I'm there with a van and sandwiches.
    I cook when people are sad and also when they are happy.
    I keep every letter I've ever been sent.
  `,
  'trait.guarded': `
    It takes me a while to open up. It's worth the wait, I'm told.
    I don't gush, but I don't leave either.
    I'm better at doing things for people than at talking about feelings.
    Trust comes slowly with me and then stays.
    I show I care by fixing your bike.
  `,
  'trait.daring': `
    {over25}I once quit a job to see {visited} and I don't regret a day.
    I say yes first and look at the map later.
    If there's a cliff with water under it, I've probably jumped.
    I get restless if I sleep in the same bed for three months.
    I've broken two bones and I'd tell you both stories.
    My passport is nearly full, and I'm a little proud of it.
  `,
  'trait.careful': `
    I check the weather, the tires and the reviews.
    I order the same thing, because it's good.
    I like to know where we're parking.
    I'm not the wild one, I'm the one who gets everybody home.
    Spontaneous is fine with two days' notice.
    Old habits, old friends, old sweaters: I keep what's good.
  `,
};
