/** English lines about the person somebody hopes to meet, by tone and by circumstance. */
export const wishes: Readonly<Record<string, string>> = {
  'wish.warm': `
    I'd love to meet {partner} who is kind first and everything else second.
    I'm looking for someone to grow old and silly with.
    I hope you like being looked after a little, because I do that.
    You'd be someone who laughs in the middle of telling the joke.
    I want the kind of love where you can be quiet in the car.
    I'm looking for a partner in the small things: groceries, bad weather, good news.
    If you're tender, honest and like {food}, we'll be fine.
    You don't need to be perfect. You need to be warm.
    I'd like somebody to come home to, and somebody to leave the porch light on for.
    I'm looking for {partnerhim}: the one who also cries at weddings.
    Someone who calls instead of texting would win me over quickly.
    I'd like to fall in love slowly, with plenty of dinners on the way.
    Tell me about the best meal you ever had, and who was there.
  `,
  'wish.dry': `
    Looking for someone with opinions about {peeve} and a working sense of humor.
    You: funny, employed, not my ex.
    I need someone to reach the {high shelf|bottom of this ice cream}.
    Seeking an accomplice. Light lifting involved.
    Must tolerate puns. This is not a drill.
    I'm looking for somebody who reads the whole text message.
    Ideally you own a tent, a good coat or at least a can opener.
    Apply with your favorite sandwich.
    You should be able to lose at {boardgame} with some grace, since you will.
    I'd like to delete this app within the year. Help me.
    Looking for the person I'll be arguing about curtains with in {bigyears} years.
    If you can assemble furniture without swearing, I have questions, and a bookcase.
  `,
  'wish.plain': `
    I'm looking for a serious relationship with {partner} who is honest and has {partnerhis} life in order.
    I'd like to start with a walk and see where it goes.
    I'm hoping to find someone who values loyalty and a good conversation.
    Looking for something lasting, but I'm in no rush.
    I want someone who has their own life and would like to share it.
    A good sense of humor and a good heart are all I ask for.
    I'd like to meet someone close by, {agefrom} or so and up, who likes being outdoors.
    Somebody who is kind to their family and on time for dinner would suit me.
    I'm looking for companionship first and, if we're lucky, love.
    I value honesty, so I'll tell you if it isn't a match, and I hope you'd do the same.
    Distance isn't a deal breaker, but I'd rather not date an airport.
    Let's skip the games and meet for {drink}.
    I hope to find someone who can be both a friend and more.
    If you know what you want and can say it, we'll get along.
  `,
  'wish.young': `
    I'm figuring things out and would like company while I do.
    I don't need forever by Friday; I'd like a good date by then, though.
    Looking for someone to try all of {city} with, one cheap dinner at a time.
    I'm serious about having fun and fairly serious about the rest.
  `,
  'wish.older': `
    At my age I know that a good conversation is rarer than a good meal.
    I'd like a companion for concerts, Sunday drives and the crossword.
    I'm not looking for a nurse or a purse, just a good person to laugh with.
    There's a lot of life left, and I'd rather not spend it on my own.
  `,
  'wish.parents': `
    It would help if you have kids too, or at least patience for them.
    You should know that some of our dates will end at nine because of a babysitter.
    I'm looking for someone who understands that bedtime stories come first.
  `,
  'wish.faith': `
    I'd like to meet someone who shares my faith or at least respects it.
    Shared values matter more to me than shared hobbies.
    I hope to find somebody I can pray with and laugh with.
  `,
  'wish.active': `
    You'd better like fresh air.
    If you can keep up on the trail, or at least carry the sandwiches, write to me.
    I'd love an active partner; the couch will still be there on Sunday.
  `,
  'wish.nonsmoker': `
    Non-smokers, please; my nose insists.
    I'd prefer someone who doesn't smoke.
  `,
};
