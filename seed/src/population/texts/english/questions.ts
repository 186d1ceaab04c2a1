/** English answers to the profile's questions (`q_` fields). */
export const questions: Readonly<Record<string, string>> = {
  q_5_years_from_now: `
    Same city, bigger kitchen, and someone to argue with about the dishes.
    Running my own small place, or at least no longer talking about it.
    Somewhere with a garden. The rest I'd like to decide with somebody.
    Fluent in {language_learned} and still bad at {fault}.
    I stopped planning that far ahead and have been happier since.
    With less stuff and more time.
    I'd like to have seen {visited}, and not alone.
    Closer to my family, further from my inbox.
    Healthy, in good company, and finally done with the bathroom tiles.
    Hopefully looking back at this answer and laughing with you.
  `,
  q_describe_perfect_evening: `
    {Dish}, a record on, and nobody looking at the clock.
    A walk by the water, then {food} somewhere with paper napkins.
    Cooking together, getting in each other's way, eating at ten.
    {Band} live, ringing ears, a late burger.
    Old friends at the table and someone new next to me.
    Rain on the roof, {movie}, one blanket.
    Sunset, two folding chairs, {drink}.
    {Boardgame} with people who don't mind losing.
    A play, an argument about the play, and dessert.
    Porch, stars, no phones.
  `,
  q_perfect_weekend: `
    Farmers market, long lunch, a nap, and a good film.
    Out of the city by eight, on a trail by ten, in a diner by three.
    No plans until noon, and then only good ones.
    A train to somewhere small with one good hotel.
    Helping a friend move, pizza on the floor.
    My whole family in one yard, with something on the grill.
    A lake, a book, {genre} preferably.
    Sleep, pancakes, {band}, repeat.
    A road trip with no destination and too many snacks.
    Whatever we do, with an unhurried breakfast first.
  `,
  q_lessons: `
    Most things can wait until morning. Apologies can't.
    You can't fix people, but you can feed them.
    Buy the good shoes.
    It's easier to be kind than to be right, and it lasts longer.
    Call back.
    Nobody is thinking about you as much as you think.
    Love is mostly showing up.
    Read the lease.
    If it feels like a test, it isn't a friendship.
    Asking for help is a skill, and I'm getting better at it.
  `,
  q_love_at_first_sight: `
    Interest at first sight. Love takes a few dinners.
    It happened to my parents, so I can't rule it out.
    Only with dogs, so far.
    I believe in third sight: when you see them sick, tired or parking.
    Yes, and it's terribly inconvenient.
    Not really, but I'd like to be proven wrong.
  `,
  q_magical_powers: `
    Stopping time for a twenty-minute nap.
    Speaking every language, including cat.
    Being in two places, both of them in bed.
    I'd fly, but only off-season.
    Healing. After that, finding parking.
    I'd make every meeting end at half past.
  `,
  q_most_important_in_relationship: `
    Kindness when you're tired.
    Being able to say the hard thing and still eat dinner together.
    Trust. Then laughter. Then somebody who locks the door at night.
    Curiosity about each other, even after years.
    Loyalty, and separate blankets.
    Talking. Also not talking.
    That we're on the same side, also when we disagree.
    Respect, and enough hot water for two.
  `,
  q_how_many_kids: `
    {childless}One or two would be lovely.
    Ask me after a long flight.
    {childless}Three sounded good until I babysat three.
    As many as we can love properly.
    {parent}I've got mine, and they're plenty.
  `,
  q_what_friends_like_about_you: `
    That I pick up the phone at two in the morning.
    My {dish}, and that I always cook too much.
    They say I'm the calm one.
    That I laugh at their jokes. Someone has to.
    That I tell them the truth, gently.
    I'm the one with jumper cables.
    That I remember things: names, birthdays, who takes milk.
  `,
  q_what_friends_tease_you_about: `
    My relationship with {peeve}. It's complicated.
    That I'm always fifteen minutes early.
    My collection of tote bags.
    {Fault}. They have it on video.
    That I narrate what my pets are thinking.
    That I order first and regret it when the plates arrive.
    The jacket. They hate the jacket.
  `,
  q_what_turns_on: `
    Someone who is good at their job and modest about it.
    A sense of humor that doesn't need a victim.
    Confidence without volume.
    People who are nice to waiters.
    Rolled-up sleeves and a good question.
    Being read to.
  `,
  q_what_turns_off: `
    Bragging, especially about money.
    {Peeve}.
    People who never ask anything back.
    Being late without a word.
    Meanness dressed up as honesty.
    A phone on the table.
  `,
  q_nerves: `
    {Peeve} and, on bad days, {peeve}.
    People who say they'll call.
    My own indecision in front of a menu.
    Noise before nine in the morning.
  `,
  q_marriage: `
    Everything, with the right person, and a small party first.
    {married}I've done it once and I'd do it better now.
    I care about the promise more than the paper.
    A promise for good. I'm old-fashioned that way.
    Not for me, but a shared front door would be nice.
  `,
  q_reincarnation: `
    I'd come back as a house cat with a south-facing window.
    As somebody who tried to live as if that were the only round.
    I suspect I was a very tired horse, so as something with fewer chores.
    I don't know, and I like not knowing.
  `,
};
