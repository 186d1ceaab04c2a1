/** English lines about children, marriages past, pets and faith. */
export const family: Readonly<Record<string, string>> = {
  'family.one_child': `
    {schoolchild}I have {child}, and {childhe} comes first. {Childhe} also beats me at {boardgame}.
    {schoolchild}There is {child} in my life who knows everything about sharks.
    {schoolchild}I'm raising {child} who is funnier than both of us will ever be.
    My best thing is {child}.
    I have {child} half the week, so I'm equally good at pancakes and at quiet.
    {schoolchild}My calendar is built around {child} and soccer practice.
    Parent of {child}. Yes, I know all the songs.
    I'm the proud parent of {child}, and I don't need anyone to replace a parent, just somebody kind.
  `,
  'family.children': `
    I have {children} and a minivan that smells of orange peel.
    {Children} keep my house loud and my heart full.
    {schoolchild}My kids ({childages}) think it's hilarious that I'm on here.
    I've got {children}, so I plan ahead and carry snacks.
    Raising {children} has made me very good at negotiating and at finding lost shoes.
    Family comes first: I have {children}.
    With {children} at home a quiet cup of coffee feels like a vacation.
    I have {children}. They are wonderful, exhausting, and not up for discussion on a first date.
  `,
  'family.grown_one': `
    I raised {grownkids}, and now it's my turn.
    My {grownword} is out of the house, and the dining table is mine again.
    I'm the parent of {grownkids} who still calls for recipes.
    My {grownword} signed me up for this, so you know who to blame.
    I've done the school runs and the science fairs; now I'd like to see {visited}.
  `,
  'family.grown': `
    My {grownword} are out of the house, and the dining table is mine again.
    I raised {grownkids}, and now it's my turn.
    {Grownkids}, all doing well, all still calling for recipes.
    I'm a parent of {grownkids} and a very willing babysitter.
    The house got quiet when my {grownword} moved out, so I bought a used guitar.
    I've done the school runs and the science fairs; now I'd like to see {visited}.
    My {grownword} signed me up for this, so blame them.
  `,
  'family.divorced': `
    {over35}I was married for {bigyears} years, and we parted on decent terms.
    Divorced, healed, and no longer arguing about the thermostat.
    My divorce taught me what I need to say out loud.
    I've been married once. I'd rather be happy than right this time.
    The divorce is long done, and I kept the good knives.
    I know what it takes to end something kindly, so I think I know how to start something well.
  `,
  'family.separated': `
    I've been separated for a good year now, and I'm honest about it.
    The papers are on their way; my heart got there earlier.
    Separated, with a place of my own and a clear head.
  `,
  'family.widowed': `
    I lost my {spouse} some years ago. I was loved well, and I know how to do it.
    Widowed. I'll always talk about {spousethem} a little, and I'd like to hear your stories too.
    I had a good marriage, and I don't see why one can't be lucky twice.
    After {smallyears} years on my own I've learned to cook for one. I'd prefer two.
    My late {spouse} would tell me to get out of the house. So here I am.
  `,
  'family.wants': `
    I'd love to have kids one day, with someone who'd love it too.
    I hope there's a noisy breakfast table in my future.
    I want a family, not next week, but I want one.
    I'm an {uncle/aunt} already and I'd like a promotion.
    Children are part of the picture for me.
  `,
  'family.none': `
    No kids, and I'm at peace with that.
    I'm a terrific {uncle/aunt} and happy to hand them back at six.
    I don't want children, but I have endless patience for houseplants.
    No kids here; my nieces and nephews get all the spoiling.
  `,
  'pet.dog': `
    I have a {breed} named {dogname}, and {dogname} has the final say.
    My {breed}, {dogname}, takes me for a walk twice a day.
    {dogname} the {breed} comes with me nearly everywhere.
    You'll get a say in most things, but {dogname} the {breed} sleeps on the bed.
    I share my home and half my sandwiches with a {breed} called {dogname}.
    {dogname} is a {breed} and a better judge of character than I am.
    The love of my life so far is a {breed} called {dogname}.
  `,
  'pet.cat': `
    I have a cat named {catname} who tolerates me.
    My cat {catname} will pretend to hate you for exactly two weeks.
    {catname} the cat runs the household; I just pay the rent.
    I adopted {catname}, a cat with one ear and no manners.
    If you're allergic to cats, we'll have a problem, because {catname} isn't going anywhere.
    {catname} is fourteen, deaf, and still my loudest critic.
  `,
  'faith.church': `
    My faith matters to me, quietly and daily.
    You'll find me at church on Sundays, usually in the back with the crying babies.
    I sing in the church choir, alto on good days.
    Prayer starts my morning, coffee comes second.
    I'd like someone who understands why I say grace.
  `,
  'faith.jewish': `
    Friday nights are for candles, challah and whoever needs a seat.
    I keep a few traditions and argue about the rest, as one does.
    Being Jewish is a big part of my life, mostly the food and the questions.
  `,
  'faith.muslim': `
    My faith is important to me, and so is a sense of humor.
    I fast in Ramadan and cook for a small army every evening of it.
    Family, faith and good tea, in that order.
  `,
  'faith.eastern': `
    I meditate every morning, badly but faithfully.
    My faith is mostly practice: sitting still, being kind, trying again.
    Festivals at my parents' house are loud, bright and not optional.
  `,
  'faith.spiritual': `
    I'm spiritual without a label: more trees than pews.
    I believe we're here to look after each other.
    I light a candle when I don't know what to do, and it helps.
  `,
};
